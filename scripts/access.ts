// `npm run access` writes docs/access.md: who may call each row of the contract, by what right, and whose
// resources it reaches, as one file for an auditor. `--check` only compares, and fails when it is stale.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { everyRow } from "#contract/api.ts";
import { companyCan, type CompanyRight, companyRoles } from "#contract/companies/roles.ts";
import type { Access, Row } from "#contract/endpoint.ts";

const name = "docs/access.md";

const whoMayCall: Readonly<Record<Access, string>> = {
  public: "anyone",
  machine: "this machine",
  session: "any session",
  reset: "a session whose password is reset",
  person: "any person",
  holder: "holders",
  professional: "professionals",
};

const whoseWords: Readonly<Record<string, string>> = {
  anyone: "—",
  self: "the caller's own",
  company: "the caller's company",
  provider: "the canteen service of the caller's company",
};

const whose = ({ of }: Row): string =>
  typeof of === "string"
    ? (whoseWords[of] ?? of)
    : Object.entries(of)
        .map(([field, thing]) => `\`${field}\`: ${thing}`)
        .join(", ");

/** A table of Markdown, its columns padded as the formatter does. */
function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [head, ...lines];
  const widths = head.map((_, column) =>
    Math.max(3, ...all.map((line) => line[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...lines.map(line)].join("\n");
}

const rights = Object.keys(companyCan) as CompanyRight[];
const roles = table(
  ["right", ...companyRoles],
  rights.map((right) => [
    right,
    ...companyRoles.map((role) => (companyCan[right]([role]) ? "yes" : "")),
  ]),
);

const ofRoom = Map.groupBy(everyRow(), (one) => one.name.split(".")[0] ?? "");
const rooms = [...ofRoom].map(([room, rows]) => {
  const lines = rows.map(({ name: row, row: { method, path, access, right = "" }, row: whole }) => [
    row,
    `${method} \`${path}\``,
    whoMayCall[access],
    right,
    whose(whole),
  ]);
  return `## ${room}\n\n${table(["row", "call", "who may call", "right", "whose"], lines)}`;
});

const expected = `# Who may call what

Written by \`npm run access\` from the contract: do not edit. \`tests/access.test.ts\` holds every line to the server.

What a row answers of somebody else's is what it answers of nothing. Under \`whose\` stand the fields of the input that
name something by id, each with what it names (\`contract/resource-kinds.ts\`): \`anyone\` is for all to see, \`secret\` is a right
by being known, \`new\` is made up by the caller, \`number\` is a card that need not be one's own.

## What each role of a company opens

\`anyRole\` asks for any of them, \`anyone\` for none.

${roles}

${rooms.join("\n\n")}
`;

const file = join(import.meta.dirname, "..", name);
const present = await readFile(file, "utf8").catch(() => "");
if (present !== expected) {
  if (process.argv.includes("--check")) {
    console.error(`${name} is stale: run \`npm run access\` and review the change.`);
    process.exitCode = 1;
  } else {
    await writeFile(file, expected);
    console.log(`${name} written.`);
  }
}
