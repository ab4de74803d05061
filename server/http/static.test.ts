import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse } from "#tests/house.ts";

let web: string;
beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), "web-"));
  await mkdir(join(web, "test"));
  await writeFile(join(web, "index.html"), "the shell");
  await writeFile(join(web, "test", "ui.html"), "the gallery");
  const build = {
    csp: { "index.html": "default-src 'self'" },
    pages: { "/test/ui": "test/ui.html" },
  };
  await writeFile(join(web, "pages.json"), JSON.stringify(build));
});
afterAll(() => rm(web, { recursive: true }));

test("GET /test/ui shows the components in the demo, and is no page elsewhere, by either name", async () => {
  for (const demo of [true, false]) {
    const house = await openHouse({ demo }, web);
    for (const path of ["/test/ui", "/test/ui.html"]) {
      const answer = await house.anonymous.get(path);
      expect([path, demo, answer.text]).toEqual([path, demo, demo ? "the gallery" : "the shell"]);
    }
    await house.close();
  }
});

test("any other path is the shell with its own policy; what the build lists nowhere is never sent", async () => {
  const house = await openHouse({}, web);
  const page = await house.anonymous.get("/dashboard");
  expect([page.status, page.text]).toEqual([200, "the shell"]);
  expect(page.headers["content-security-policy"]).toBe("default-src 'self'");
  expect((await house.anonymous.get("/pages.json")).text).toBe("the shell");
  expect((await house.anonymous.get("/assets/old-chunk.js")).status).toBe(404);
  await house.close();
});
