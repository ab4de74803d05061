// Which account a command is recorded under.
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { operatorAccount } from "./account.ts";

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder("account");
});
afterAll(() => removeData(folder));

async function recorded(text: string): Promise<string> {
  const path = join(folder, "loginuid");
  await writeFile(path, text);
  return operatorAccount(path);
}

test("the account that signed in counts, else the one of the process", async () => {
  expect(await recorded("0")).toBe("root");
  expect(await recorded("4294967294")).toBe("uid 4294967294");
  for (const none of ["4294967295", "", "no number"]) {
    expect(await recorded(none), none).toBe(userInfo().username);
  }
  expect(operatorAccount(join(folder, "absent"))).toBe(userInfo().username);
});
