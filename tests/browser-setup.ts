// Before the first journey: the web build, the script of its sessions (tests/sign-in.ts) and one Chromium
// for the run. Each portal connects to it and opens contexts of its own (another cookie jar, another
// storage), which end with the portal (tests/test-portal.ts).
import type { TestProject } from "vitest/node";
import { serveBrowser } from "./browser.ts";
import { bundleSession } from "./sign-in.ts";
import { webBuild } from "./web-build.ts";

declare module "vitest" {
  export interface ProvidedContext {
    browser: string;
    sessionScript: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // First alone: while it unpacks, the temporary folder of this process is another one.
  const server = await serveBrowser();
  const [sessionScript] = await Promise.all([bundleSession(), webBuild()]);
  project.provide("browser", server.wsEndpoint());
  project.provide("sessionScript", sessionScript);
  return () => server.close();
}
