import type { Pool } from "pg";
import { expect, test } from "vitest";
import { loadConfig } from "#server/process/config.ts";
import { namedUrl } from "./named-url.ts";

const pooled = "postgres://me@127.0.0.1:6432/carte?application_name=other";
const pool = { options: { connectionString: pooled } } as unknown as Pool;

test("a connection of its own bears its name, and goes around a pooler", () => {
  const plain = loadConfig({ DATABASE_URL: pooled });
  expect(namedUrl({ config: plain, pool }, "jobs")).toBe(
    "postgres://me@127.0.0.1:6432/carte?application_name=jobs",
  );
  const direct = "postgres://me@127.0.0.1:5000/carte";
  const around = loadConfig({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct });
  expect(namedUrl({ config: around, pool }, "jobs")).toBe(`${direct}?application_name=jobs`);
});
