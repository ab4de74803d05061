import { defineConfig } from "vitest/config";

// Two projects: `rooms` are quick and speak HTTP through inject; `journeys` drive a real browser.
// Both share one PostgreSQL (tests/global-setup.ts) and clone its template.
export default defineConfig({
  // The front end's own settings are not needed here, and reading them slows each start.
  root: import.meta.dirname,
  test: {
    globalSetup: ["tests/global-setup.ts"],
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: [
            "server/**/*.test.ts",
            "contract/**/*.test.ts",
            "web/**/*.test.{ts,tsx}",
            "tests/*.test.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["tests/journeys/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
