// Passes as PDF: their QR codes, and their details in text for when a code cannot be read.
import { Problem } from "#contract/errors.ts";
import {
  firstName,
  formatCardnumber,
  formatDate,
  formatDateTime,
  ofName,
} from "#contract/french.ts";
import type { AuditedCall, Caller } from "#server/http/caller.ts";
import { type Paper, paper } from "#server/http/paper.ts";
import type { Deps } from "#server/process/deps.ts";
import { passCode, qrOfPass } from "./lifecycle.ts";
import { type PassRow, readPassesToShow, readPassOf, toPassView } from "./pass-rows.ts";

const usageNotice =
  "Présentez ce code à bord, sur papier ou sur un téléphone. Une suspension ou un duplicata le " +
  "rend sans valeur.";

/** The PDF of a pass that shows its QR: of the caller or of their child. Refuses as the QR does. */
export async function passPdf(
  call: AuditedCall<{ pass: string }>,
): Promise<{ file: Buffer; name: string }> {
  const { deps, caller, input } = call;
  const at = deps.now();
  const { token } = await qrOfPass(call);
  const pass = toPassView(await readPassOf(deps.db, caller.personId, input.pass, at), at);
  const { name, cardnumber, validFrom } = pass;
  const file = await paper({ title: name, cardnumber, bare: true, madeAt: at }, (page) => {
    drawPass(page, pass, token);
    page.paragraph(usageNotice);
  });
  return { file, name: `titre-${validFrom.slice(0, 10)}.pdf` };
}

const passesPerPage = 2;

/**
 * The valid and future passes of the caller and their children, a page per person, two passes on each. Cards
 * out of use are left out; `passes_none` where nothing is left.
 */
export async function familyPassesPdf(deps: Deps, caller: Caller): Promise<Buffer> {
  const at = deps.now();
  const rows = await readPassesToShow(deps.db, caller.personId, at);
  const pages: PassRow[][] = [];
  for (const row of rows) {
    const page = pages.at(-1);
    if (page?.[0]?.holderId === row.holderId && page.length < passesPerPage) page.push(row);
    else pages.push([row]);
  }
  const [first] = pages;
  if (!first) throw new Problem("passes_none");
  const codeOf = await passCode(deps.db);
  const headOf = (page: PassRow[]) => {
    const { holder, cardnumber } = page[0] as PassRow;
    return { title: `Titres ${ofName(firstName(holder))}`, cardnumber, bare: true };
  };
  return await paper({ ...headOf(first), madeAt: at }, async (sheet) => {
    for (const page of pages) {
      if (page !== first) await sheet.next(headOf(page));
      for (const row of page) {
        drawPass(sheet, toPassView(row, at), codeOf(row));
      }
      sheet.paragraph(usageNotice);
    }
  });
}

function drawPass(page: Paper, pass: ReturnType<typeof toPassView>, token: string): void {
  const { name, holder, kind, cardnumber, validFrom, validUntil, lastDay } = pass;
  page.ticket({
    cardnumber,
    kind: "Titre de transport",
    title: name,
    when:
      kind === "single"
        ? `Jusqu’au ${formatDateTime(validUntil)}`
        : `Du ${formatDate(validFrom)} au ${formatDate(lastDay)}`,
    code: token,
    label: `Code du titre ${name}, à présenter à bord`,
    facts: [
      ["Titulaire", holder],
      ["Carte", formatCardnumber(cardnumber)],
      ["Lignes", pass.groupName],
      ...(kind === "single" ? [["Acheté le", formatDateTime(validFrom)] as const] : []),
      ...(pass.stop === null ? [] : [["Montée à", pass.stop] as const]),
    ],
  });
}
