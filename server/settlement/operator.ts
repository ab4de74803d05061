// Operator commands of the settlement: close or preview a month, pay out, read the bank's answer, export the
// accounting entries.
import { createWriteStream } from "node:fs";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import * as z from "zod/mini";
import { addDays, parisDay } from "#contract/days.ts";
import { day as dayForm } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount, formatDate, formatDateTime, formatMoney, plural } from "#contract/french.ts";
import { payoutHoldNames } from "#contract/settlement/states.ts";
import { problemOf } from "#server/http/errors.ts";
import {
  type CommandResult,
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import {
  type Closed,
  closeMonth,
  type CloseProgress,
  type SettlementPreview,
  previewMonth,
  monthToClose,
  type SettlementFailure,
} from "./close.ts";
import { fecChunks, fecName, type FecSums } from "./fec.ts";
import { maxBytes } from "./pain-002.ts";
import { acknowledge, batchFile, duePayouts, type HeldPayout, makePayouts } from "./payouts.ts";
import { statementOf } from "./statement.ts";

/** Commands `npm run operator -- settlement …`. */
export const settlementCommands: readonly OperatorCommand[] = [
  {
    name: "settlement close",
    arguments: ["[<AAAA-MM>]"],
    says: "clôt un mois, le dernier par défaut : calcule ce qui est dû à chacun ; reprend après un arrêt",
    run: (deps, [month], operator) => close(deps, { month, operator }),
  },
  {
    name: "settlement foresee",
    arguments: ["[<AAAA-MM>]"],
    says: "montre ce que la clôture d'un mois terminé réglerait, entreprise par entreprise, sans rien écrire",
    run: (deps, [month], operator) =>
      commandResult(async () =>
        previewLines(await previewMonth(deps, { month: monthArgument(deps, month), operator })),
      ),
  },
  {
    name: "settlement show",
    arguments: ["[<AAAA-MM>]"],
    says: "montre un mois clos, entreprise par entreprise, avec le contrôle",
    run: (deps, [month]) => show(deps, monthArgument(deps, month)),
  },
  {
    name: "settlement payout",
    arguments: ["[<dossier>]", "[<AAAA-MM-JJ>]"],
    says: "montre ce qu'un lot verserait ; avec un dossier, met en lot ce qui est dû (pain.001.001.09), à exécuter demain ou ce jour-là",
    run: (deps, [folder, on], operator) =>
      commandResult(async () =>
        folder === undefined ? await showDue(deps) : await payOut(deps, { folder, on, operator }),
      ),
  },
  {
    name: "settlement file",
    arguments: ["<lot>", "<dossier>"],
    says: "écrit de nouveau le fichier d'un lot, le même",
    run: (deps, [batch = "", folder = ""]) =>
      commandResult(async () => [await writeBatch(deps, numberArgument(batch), folder)]),
  },
  {
    name: "settlement acknowledge",
    arguments: ["<fichier>"],
    says: "lit la réponse de la banque (pain.002) : versé, ou refusé et dû de nouveau",
    run: (deps, [file = ""]) => commandResult(() => readBack(deps, file)),
  },
  {
    name: "settlement fec",
    arguments: ["<année>", "<dossier>"],
    says: "exporte le fichier des écritures comptables d'une année (FEC, article A47 A-1)",
    run: (deps, [year = "", folder = ""]) => commandResult(() => exportFec(deps, { year, folder })),
  },
];

const monthForm = /^20\d\d-(0[1-9]|1[0-2])$/;

function monthArgument({ now }: OperatorDeps, argument: string | undefined): string {
  const month = argument ?? monthToClose(now());
  if (!monthForm.test(month)) throw new Problem("invalid_input", { what: "mois (AAAA-MM)" });
  return month;
}

async function close(
  deps: OperatorDeps,
  { month, operator }: { month: string | undefined; operator: string },
): Promise<CommandResult> {
  const { progress = () => undefined } = deps;
  let failures: readonly SettlementFailure[] = [];
  const { ok, lines } = await commandResult(async () => {
    const closed = await closeMonth(deps, {
      month: monthArgument(deps, month),
      operator,
      progress: (at) => progress(progressLine(at)),
    });
    ({ failures } = closed);
    for (const { company, error } of failures) {
      if (problemOf(error).code === "internal")
        deps.log.error({ err: error, company }, "not settled");
    }
    return closedLines(closed);
  });
  return { ok: ok && failures.length === 0, lines };
}

function previewLines(foreseen: readonly SettlementPreview[]): string[] {
  const sum = { lines: 0, grossCents: 0, commissionCents: 0, vatCents: 0 as number | null };
  for (const one of foreseen) {
    sum.lines += one.lines;
    sum.grossCents += one.grossCents;
    sum.commissionCents += one.commissionCents;
    sum.vatCents =
      sum.vatCents === null || one.vatCents === null ? null : sum.vatCents + one.vatCents;
  }
  const words = ({ lines, grossCents, commissionCents, vatCents }: typeof sum) =>
    `${plural(lines, "ligne")}, ventes nettes ${formatMoney(grossCents)}, ` +
    `commission ${formatMoney(commissionCents)} HT, ` +
    (vatCents === null
      ? "TVA des avoirs comptée à la clôture"
      : `TVA ${formatMoney(vatCents)}, dû ${formatMoney(grossCents - commissionCents - vatCents)}`);
  if (foreseen.length === 0) return ["Rien à régler pour ce mois."];
  return [
    ...foreseen.map((one) => `  ${one.company} : ${words(one)}`),
    `${plural(foreseen.length, "entreprise")}, ${words(sum)}. Rien n'est écrit : settlement close clôt le mois.`,
  ];
}

function closedLines({ month, now, failures, ...sums }: Closed): string[] {
  const { companies, lines, grossCents, commissionCents } = sums;
  const counted =
    `${plural(companies, "entreprise")}, ${plural(lines, "ligne")}, ventes nettes ` +
    `${formatMoney(grossCents)}, commissions ${formatMoney(commissionCents)}, ` +
    `dû ${formatMoney(grossCents - commissionCents)}.`;
  if (failures.length === 0) {
    return [now ? `${month} est clos.` : `${month} était déjà clos : rien n'a changé.`, counted];
  }
  return [
    ...failures.map(
      ({ company, month: left, error }) => `✗ ${company}, ${left} : ${problemOf(error).message}`,
    ),
    "Leur mois reste ouvert, les autres entreprises sont réglées. Corrigez, puis relancez la commande.",
    counted,
  ];
}

const progressLine = (at: CloseProgress): string =>
  at.phase === "lines"
    ? `  ${formatCount(at.read)} écritures lues, ${formatCount(at.written)} lignes écrites`
    : `  ${formatCount(at.done)} / ${formatCount(at.of)} entreprises réglées`;

async function show(deps: OperatorDeps, month: string) {
  const { rows } = await sql<{ companyId: string; name: string }>`
    select s.company_id, c.name from settlement s
    join company c on c.id = s.company_id where s.month = ${month}
    order by c.name collate "fr-x-icu", c.id`.execute(deps.db);
  if (rows.length === 0) return { ok: true, lines: [`Aucun relevé pour ${month}.`] };
  let ok = true;
  const lines: string[] = [];
  for (const { companyId, name } of rows) {
    const one = await statementOf(deps.db, companyId, month);
    ok &&= one.controlCents === 0;
    const control = one.controlCents === 0 ? "✓" : `✗ écart ${formatMoney(one.controlCents)}`;
    lines.push(
      `${control} ${name} : ventes ${formatMoney(one.grossCents)}, commission ` +
        `${formatMoney(one.commissionCents + one.vatCents)} (${one.invoice?.number ?? "aucune"}), ` +
        `dû ${formatMoney(one.netCents)}, reste ${formatMoney(one.closingCents)}`,
      ...one.payouts.map(
        ({ reference, amountCents, state, reason }) =>
          `    ${reference} ${formatMoney(amountCents)} ${state}${reason ? ` : ${reason}` : ""}`,
      ),
    );
  }
  return { ok, lines };
}

async function requireFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) throw new Problem("invalid_input", { what: "dossier" });
  return path;
}

const leftLines = (held: readonly HeldPayout[]): string[] =>
  held.map(
    ({ company, amountCents, hold, until }) =>
      `  laissé pour le prochain lot : ${company}, ${formatMoney(amountCents)} : ` +
      `${payoutHoldNames[hold]}${until ? `, jusqu'au ${formatDateTime(until)}` : ""}`,
  );

async function showDue(deps: OperatorDeps): Promise<string[]> {
  const { paid, held } = await duePayouts(deps);
  const total = paid.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return [
    ...paid.map(({ company, amountCents }) => `  ${company}  ${formatMoney(amountCents)}`),
    ...leftLines(held),
    paid.length === 0
      ? "Rien à verser."
      : `${plural(paid.length, "virement")}, ${formatMoney(total)}. Rien n'est versé : donnez un dossier pour mettre en lot.`,
  ];
}

async function payOut(
  deps: OperatorDeps,
  { folder, on, operator }: { folder: string; on: string | undefined; operator: string },
): Promise<string[]> {
  await requireFolder(folder);
  const today = parisDay(deps.now());
  const executeOn = on ?? addDays(today, 1);
  if (!z.safeParse(dayForm, executeOn).success || executeOn < today) {
    throw new Problem("invalid_input", { what: "jour d'exécution (AAAA-MM-JJ)" });
  }
  const { number, paid, held } = await makePayouts(deps, { executeOn, operator });
  const left = leftLines(held);
  if (number === null) return ["Rien à verser.", ...left];
  const total = paid.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return [
    ...paid.map(({ company, amountCents }) => `  ${company}  ${formatMoney(amountCents)}`),
    ...left,
    `Lot ${number} : ${plural(paid.length, "virement")}, ${formatMoney(total)}, à exécuter le ${formatDate(executeOn)}.`,
    await writeBatch(deps, number, folder),
  ];
}

async function writeBatch({ db }: OperatorDeps, batch: number, folder: string): Promise<string> {
  const { name, text } = await batchFile(db, batch);
  const path = join(await requireFolder(folder), name);
  await writeFile(path, text, { mode: 0o600 });
  return `Fichier à donner à la banque : ${path}`;
}

async function readBack(deps: OperatorDeps, file: string): Promise<string[]> {
  const found = await stat(resolve(file)).catch(() => null);
  if (!found?.isFile() || found.size > maxBytes) {
    throw new Problem("invalid_input", { what: "fichier" });
  }
  const answer = await acknowledge(deps, await readFile(resolve(file), "utf8"));
  const { batch, accepted, rejected, open, refusals } = answer;
  return [
    ...refusals.map(
      ({ reference, company, amountCents, reason }) =>
        `  refusé : ${reference} ${company}, ${formatMoney(amountCents)}, ${reason} ; dû de nouveau`,
    ),
    `Lot ${batch} : ${plural(accepted, "versé")}, ${plural(rejected, "refusé")}, ${plural(open, "encore ouvert", "encore ouverts")}.`,
  ];
}

async function exportFec(
  { db, config, progress = () => undefined }: OperatorDeps,
  { year: yearText, folder }: { year: string; folder: string },
): Promise<string[]> {
  const year = Number(yearText);
  if (!/^20\d\d$/.test(yearText)) throw new Problem("invalid_input", { what: "année (AAAA)" });
  if (!config.issuer) throw new Problem("payout_identity", { what: "ISSUER_FILE" });
  const path = join(await requireFolder(folder), fecName(config.issuer.siren, year));
  let sums: FecSums = { entries: 0, debitCents: 0, creditCents: 0 };
  async function* texts() {
    for await (const part of fecChunks(db, year)) {
      ({ sums } = part);
      progress(`  ${formatCount(sums.entries)} écritures`);
      yield part.text;
    }
  }
  // Under another name until it is complete: a file with the legal name is always whole.
  await pipeline(Readable.from(texts()), createWriteStream(`${path}.partiel`, { mode: 0o600 }));
  await rename(`${path}.partiel`, path);
  return [
    `${plural(sums.entries, "écriture")}, débit ${formatMoney(sums.debitCents)}, crédit ${formatMoney(sums.creditCents)}.`,
    `Fichier : ${path}`,
  ];
}
