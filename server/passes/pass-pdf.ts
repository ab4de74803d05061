// A pass as a PDF: its code, and its details in text for when the code cannot be read.
import type { AuditedCall } from "#server/http/caller.ts";
import { paper } from "#server/http/paper.ts";
import { formatDate, formatDateTime } from "#contract/french.ts";
import { qrOfPass } from "./lifecycle.ts";
import { readPassOf, toPassView } from "./pass-rows.ts";

/** The PDF of a pass that its QR opens: of the caller or of their child. Refuses as the QR does. */
export async function passPdf(
  call: AuditedCall<{ pass: string }>,
): Promise<{ file: Buffer; name: string }> {
  const { deps, caller, input } = call;
  const at = deps.now();
  const { token } = await qrOfPass(call);
  const pass = toPassView(await readPassOf(deps.db, caller.personId, input.pass, at), at);
  const { name, holder, cardnumber, kind, validFrom, validUntil, lastDay } = pass;
  const until = kind === "single" ? formatDateTime(validUntil) : formatDate(lastDay);
  const file = await paper({ title: name, cardnumber, madeAt: at }, (page) => {
    page.code(token, `Code du titre ${name}, à présenter à bord`);
    page.facts([
      ["Titulaire", holder],
      ["Lignes", pass.groupName],
      ["Du", kind === "single" ? formatDateTime(validFrom) : formatDate(validFrom)],
      ["Au", until],
      ...(pass.stop === null ? [] : [["Arrêt de montée", pass.stop] as const]),
    ]);
    page.paragraph(
      "Présentez ce code à bord, sur papier ou sur un téléphone. Une suspension ou un duplicata le " +
        "rend sans valeur.",
    );
  });
  return { file, name: `titre-${validFrom.slice(0, 10)}.pdf` };
}
