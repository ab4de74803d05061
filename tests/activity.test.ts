// The activity log has words for every action that the audit trail keeps, of every room.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { orderKinds } from "#contract/payments/rows.ts";
import { rowNames } from "#server/db/rows.ts";
import { activityLabel } from "#server/identity/identity.ts";

const root = join(import.meta.dirname, "..", "server");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/(?:\.test|tables)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** Values for the variable of an action whose name is composed. */
const composed: Readonly<Record<string, readonly string[]>> = {
  "`password.${how}`": ["forgot", "reset", "change", "recovery"],
  "`partnership.terms_${word}`": ["accept", "refuse", "withdraw"],
  "`card.${to}`": ["approved", "in_production", "shipped", "received"],
  "`proof.${what}`": ["validated", "refused"],
  "`membership.${action}`": ["review", "ask", "approve", "reject"],
  "`${sale.kind}.buy`": orderKinds,
  "`pass.exemption_${state}`": ["accepted", "refused"],
  "`custody.${state}`": ["agreed", "declined", "withdrawn"],
  "`funding.${action}`": ["pause", "resume", "delete"],
};
/** Of a demo command that closes the accounts in whose log it would stand, and the name of a file. */
const unread = new Set(["demo.close", "history.anchor"]);

const columns = new Set(
  [...readFileSync(join(root, "db/tables.ts"), "utf8").matchAll(/^ {4}(\w+):/gm)].map(
    ([, column]) => column,
  ),
);
const isAction = (literal: string): boolean => /^[a-z_]+\.[a-z_]+$/.test(literal);

/** Named by `action:`, or handed over as a word in a file that writes to the trail. */
function actionsOf(text: string): string[] {
  const named = [...text.matchAll(/\baction: [^\n]+/g)].flatMap(([line]) =>
    [...line.matchAll(/"([^"]+)"/g)].map(([, literal = ""]) => literal),
  );
  if (!/\baudit(?:Act|Operator)?\b/.test(text)) return named.filter(isAction);
  const handed = [...text.matchAll(/"([a-z_]+)\.([a-z_]+)"/g)]
    .filter(([, , word = ""]) => !columns.has(rowNames.nameOf(word)))
    .map(([, area, word]) => `${area}.${word}`);
  return [...named, ...handed].filter(isAction);
}

/** An action whose name is composed: named, or handed over after who does it. */
const putTogether =
  /\baction: (`[^`]+`)|\baudit(?:Act|Operator)\(\s*tx,\s*(?:\{[^}]*\}|\w+),\s*(`[^`]+`)/g;

test("every action of the audit trail has its words in the activity log", () => {
  const templates = sources.flatMap(({ text }) =>
    [...text.matchAll(putTogether)].map(([, named, handed]) => named ?? handed ?? ""),
  );
  expect(templates.filter((one) => !(one in composed))).toEqual([]);
  const put = Object.entries(composed).flatMap(([template, words]) =>
    words.map((word) => template.slice(1, -1).replace(/\$\{[^}]+\}/, word)),
  );
  const all = new Set([...sources.flatMap(({ text }) => actionsOf(text)), ...put]);
  expect(all.size).toBeGreaterThan(100);
  expect([...all]).toContain("card.suspend");
  const nameless = activityLabel("no.such_action");
  const without = [...all].filter((one) => !unread.has(one) && activityLabel(one) === nameless);
  expect(without.toSorted()).toEqual([]);
});
