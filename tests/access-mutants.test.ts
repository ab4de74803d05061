// The mutation run over access checks (`npm run mutate -- access`) finds them, and makes one vanish at a time.
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { instrument } from "./campaigns/mutate/access/instrument.ts";
import { mutantSwitch, takeReached, vanish } from "./campaigns/mutate/access/mutant-switch.ts";

const { code, sites } = instrument(
  "server/some/room.js",
  `const holderFor = async (db, actor, number) =>
    db(sql\`number = \${number} and person_id = \${actor}\`);
  async (db, { caller, input }) => {
    await holderFor(db, caller.personId, await input.cardnumber);
    await requireNotMinor(db);
    const { name } = requireRight(caller.company, "decide");
    db(name);
    if (input.personId !== caller.personId) db("refused");
    db(sql\`update t set a = 1, person_id = \${1} where \${mayActFor(2)} and not \${isFamilyOf(3)}
      and t.company_id = any (\${4}::uuid[]) and (\${5}::bigint in (inviter_id, invited_id))\`);
    db(from("t").where("person_id", "=", 6));
  }`,
  0,
);

afterEach(() => vanish(undefined));

/** The queries and refusals of the source with the check of one site removed. */
async function said(gone?: number): Promise<string[]> {
  const heard: string[] = [];
  const text = (one: unknown) => String(one);
  const work = runInNewContext(code, {
    sql: (words: readonly string[], ...values: unknown[]) =>
      words.map((word, index) => word + text(values[index] ?? "")).join(""),
    mutantSwitch: { ...mutantSwitch, true: "TRUE", false: "FALSE" },
    mayActFor: (of: number) => `mayActFor(${of})`,
    isFamilyOf: (of: number) => `isFamilyOf(${of})`,
    requireNotMinor: () => heard.push("not a minor"),
    requireRight: (company: object) => ({ ...company, name: "checked" }),
    from: () => ({ where: (...args: unknown[]) => args.join(" ") }),
  }) as (db: (one: unknown) => void, call: unknown) => Promise<void>;
  vanish(gone);
  await work((one) => heard.push(text(one).replaceAll(/\s+/g, " ")), {
    caller: { personId: 1, company: { name: "as it is" } },
    input: { cardnumber: 7, personId: 2 },
  });
  return heard;
}

const whole = [
  "number = 7 and person_id = 1",
  "not a minor",
  "checked",
  "refused",
  "update t set a = 1, person_id = 1 where mayActFor(2) and not isFamilyOf(3) " +
    "and t.company_id = any (4::uuid[]) and (5::bigint in (inviter_id, invited_id))",
  "person_id = 6",
];

test("every check is found, and none vanishes unasked", async () => {
  takeReached();
  expect(await said()).toEqual(whole);
  expect(takeReached()).toEqual(new Set(sites.keys()));
  expect(sites).toHaveLength(10);
});

const update = (condition: string) => `update t set a = 1, person_id = 1 where ${condition}`;
const rest = "t.company_id = any (4::uuid[]) and (5::bigint in (inviter_id, invited_id))";

test.each([
  ["person_id = ${actor}", 0, "number = 7 and TRUE"],
  ["holderFor(db, caller.personId, await input.cardnumber)", 0, "number = 7 and TRUE"],
  ["requireNotMinor(db)", 1, undefined],
  ['requireRight(caller.company, "decide")', 2, "as it is"],
  ["input.personId !== caller.personId", 3, undefined],
  ["mayActFor(2)", 4, update(`TRUE and not isFamilyOf(3) and ${rest}`)],
  ["isFamilyOf(3)", 4, update(`mayActFor(2) and not FALSE and ${rest}`)],
  [
    "t.company_id = any (${4}::uuid[])",
    4,
    update(
      "mayActFor(2) and not isFamilyOf(3) and TRUE and (5::bigint in (inviter_id, invited_id))",
    ),
  ],
  [
    "${5}::bigint in (inviter_id, invited_id)",
    4,
    update("mayActFor(2) and not isFamilyOf(3) and t.company_id = any (4::uuid[]) and (TRUE)"),
  ],
  ['"person_id", "=", 6', 5, "TRUE"],
])("%s vanishes alone", async (was, place, becomes) => {
  const site = sites.findIndex((one) => one.was === was);
  expect(await said(site)).toEqual(whole.toSpliced(place, 1, ...(becomes ? [becomes] : [])));
});
