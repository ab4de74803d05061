// `npm run scale -- --cluster` on a machine without its programs: it names those that are missing, and its
// files of docs/cluster are whole.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sentence } from "#contract/errors.ts";
import { filled, machineValues, readLines } from "#tests/campaigns/scale/templates.ts";
import { loadConfig } from "#server/process/config.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "docs", "cluster");

test("without the programs: which are missing, how to install them, and nothing is started", async () => {
  const args = ["tests/campaigns/scale.ts", "--cluster", "--programs", "/nowhere"];
  const ended = run(process.execPath, args, { cwd: root, env: { PATH: "" } });
  await expect(ended).rejects.toMatchObject({
    code: 69,
    stdout: "",
    stderr: expect.stringMatching(
      /needs patroni, etcd, haproxy, pgbouncer, postgres, not found .*apt install patroni python3-etcd etcd-server haproxy pgbouncer postgresql-15 .*Nothing was started/,
    ),
  });
});

test("a drill that does not exist is not run", async () => {
  const args = ["tests/campaigns/scale.ts", "--cluster", "--only", "earthquake"];
  const ended = run(process.execPath, args, { cwd: root, env: { PATH: "" } });
  await expect(ended).rejects.toMatchObject({
    code: 64,
    stderr: expect.stringContaining("No such drill"),
  });
});

test("machine.env has a value for all that the other files ask, and nothing that none asks", async () => {
  const values = await machineValues({});
  const names = (await readdir(folder)).filter((name) => name !== "machine.env");
  const used = new Set<string>();
  const watched = new Proxy(values, {
    get: (own, name: string) => (used.add(name), own[name]),
  });
  for (const name of names) expect(await filled(name, watched), name).not.toContain("${");
  expect([...used].sort()).toEqual(Object.keys(values).sort());
  await expect(machineValues({ COLOUR: "blue" })).rejects.toThrow("machine.env has no COLOUR");
});

test("the portal of the guide starts with settings that it knows", async () => {
  const config = loadConfig(readLines(await filled("portal.env", await machineValues({}))));
  expect(config).toMatchObject({ demo: false, publicUrl: "https://carte.exemple.fr", port: 3000 });
  expect(config.databaseReadUrl).toContain(":5001/");
});

test("the service starts what npm start does", async () => {
  const unit = await filled("ma-carte.service", await machineValues({}));
  const [, started] = /^ExecStart=\S+\/node (.+)$/m.exec(unit) ?? [];
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  expect(`exec node ${started}`).toBe(scripts.start);
});

test("HAProxy says what the portal would say", async () => {
  const text = await filled("haproxy.cfg", await machineValues({}));
  expect(text).toContain(`\\"message\\":\\"${sentence("unavailable")}\\"`);
});
