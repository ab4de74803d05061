import { defineConfig } from "vitest/config";
import { projectFiles } from "./scripts/test-projects.ts";

/**
 * The files of a worker share the modules of the server and of the browser's driver: reading them anew
 * is a third of the time of a file of `rooms`, and more processor time than most journeys take.
 */
const isolate = false;
/** Browser tests have one second try; scripts/test.ts lists what needed it, each a fault to find. */
const retry = 1;

// Projects on one PostgreSQL (tests/global-setup.ts), each file on its own clone of the template: `rooms`
// speak HTTP through inject, `pages` test code of the browser in Node, `journeys` and
// `accessibility` drive a real browser, `campaigns` kill, flood and restart real servers and so run
// last, when nothing else does.
export default defineConfig({
  // The front end's own settings are not needed here, and reading them slows each start.
  root: import.meta.dirname,
  test: {
    globalSetup: ["tests/global-setup.ts"],
    setupFiles: ["tests/midnight-setup.ts"],
    pool: "threads",
    maxWorkers: 2,
    // Generous: no test measures time, and a busy machine is slow. What hangs still ends.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: "rooms", ...projectFiles.rooms, isolate },
      },
      { extends: true, test: { name: "pages", ...projectFiles.pages } },
      {
        extends: true,
        test: {
          name: "journeys",
          ...projectFiles.journeys,
          globalSetup: ["tests/browser-setup.ts"],
          isolate,
          retry,
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "accessibility",
          ...projectFiles.accessibility,
          globalSetup: ["tests/browser-setup.ts"],
          isolate,
          retry,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: "campaigns",
          ...projectFiles.campaigns,
          testTimeout: 600_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
