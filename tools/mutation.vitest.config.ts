import { defineConfig } from "vitest/config";

// The pure parts alone: no database, no browser, so that each mutant costs milliseconds.
export default defineConfig({
  test: {
    pool: "threads",
    maxWorkers: 1,
    include: [
      "contract/*.test.ts",
      "server/wallet/projection.test.ts",
      "server/identity/strength.test.ts",
      "server/payments/signature.test.ts",
      "web/app/transport/token.test.ts",
    ],
  },
});
