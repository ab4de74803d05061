// The HTML files of the build and the paths that each answers; any other path is the shell's.
import { paths } from "../../contract/paths.ts";

export interface PageFile {
  /** File under web/, and under dist/ once built. */
  file: string;
  paths: readonly string[];
  /** Module that exports `page()`: the React element written into the file at build. */
  prerender?: string;
  /** Module of a prerendered page, built whole into one file of its own: one request, no shared part. */
  script?: string;
}

export const pages: readonly PageFile[] = [
  { file: "index.html", paths: [] },
  {
    file: "login.html",
    paths: [paths.login],
    prerender: "app/shell/prerender/login.tsx",
    script: "app/shell/prerender/login-page.ts",
  },
  { file: "test/ui.html", paths: ["/test/ui"] },
];
