// What backup and restore refuse, as the operator reads it. That they work, under load and to the
// instant, is proved by tests/campaigns/faults.test.ts.
import { spawn } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { instantOf } from "./restore.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder("backup");
  await mkdir(join(folder, "used"));
  await writeFile(join(folder, "used", "kept"), "here");
  const base = join(folder, "backups", "base-20261121T083830Z");
  await mkdir(base, { recursive: true });
  const note = { readyAt: "2026-11-21T08:38:35.913Z", beganAt: "2026-11-21T08:38:30.000Z" };
  await writeFile(join(base, "sauvegarde.json"), JSON.stringify(note));
});
afterAll(() => removeData(folder));

async function operator(words: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "operator.ts"), ...words], {
    env: { PATH: process.env["PATH"], ...env },
    cwd: folder,
  });
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output.on("data", (chunk: Buffer) => (said += chunk.toString()));
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said };
}
const restore = (...words: string[]) => operator(["restore", ...words]);

// proves: backup-restore
test("restore: one sentence for each wrong wish, and nothing written", async () => {
  const [none, early, used, vague] = await Promise.all([
    restore("nowhere", "new", "fin"),
    restore("backups", "new", "2026-11-21T08:00:00Z"),
    restore("backups", "used", "fin"),
    restore("backups", "new", "2026-11-21T09:00:00"),
  ]);
  expect(none).toMatchObject({ code: 74, said: expect.stringContaining("pas de sauvegarde dans") });
  // The first whole minute, as people read it; what is read may be typed.
  expect(early.said).toContain("revenir au 21/11/2026 09:39 ou après");
  expect(instantOf("21/11/2026 09:39")).toEqual(new Date("2026-11-21T08:39:00Z"));
  for (const wrong of ["31/02/2026 09:39", "21/11/2026 25:00", "21/11/2026"]) {
    expect(() => instantOf(wrong), wrong).toThrow("n'est pas compris");
  }
  expect(used).toMatchObject({ code: 74, said: expect.stringContaining("n'est pas vide") });
  expect(vague).toMatchObject({ code: 78, said: expect.stringContaining("avec le fuseau") });
  expect(await readdir(folder)).not.toContain("new");
  expect(await readdir(join(folder, "used"))).toEqual(["kept"]);
});

test("backup: refused where there is no database of ours", async () => {
  const without = await operator(["backup", "backups"], { DATA_DIR: join(folder, "empty") });
  expect(without).toMatchObject({ code: 74, said: expect.stringContaining("lancez d'abord") });
  expect(await readdir(join(folder, "backups"))).toEqual(["base-20261121T083830Z"]);
});
