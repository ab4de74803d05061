// The receipt of a paid subscription: parties, subject, and every line of its price.
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDate, formatDateTime, formatMoney } from "#contract/french.ts";
import { referenceOf } from "#contract/reference.ts";
import { subscriptionCan, subscriptionStateNames } from "#contract/subscriptions/states.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";
import { paper } from "../http/paper.ts";
import { formulaAt } from "./formulas.ts";
import { readSubscription, requirePayer } from "./rows.ts";

/** The PDF; throws `subscription_unpaid` before the payment, `not_found` for anyone else. */
export async function receiptPdf(deps: Deps, caller: Caller, id: string): Promise<Buffer> {
  const row = await readSubscription(deps.db, caller.personId, id);
  requirePayer(row, caller.personId);
  const { lines, paidCents, paidAt, startsOn, endsOn } = row;
  if (!subscriptionCan.receipt(row) || !lines || paidCents === null || !paidAt) {
    throw new Problem("subscription_unpaid");
  }
  const formula = await formulaAt(deps.db, row.formula, row.formulaVersion);
  const { cardnumber } = row;
  const options = { title: "Reçu d’abonnement", cardnumber, madeAt: deps.now() };
  return await paper(options, async (page) => {
    page.facts([
      ["Titulaire", row.holder],
      ["Carte", formatCardnumber(cardnumber)],
      ["Formule", formula.name],
      ["Période", `du ${formatDate(startsOn ?? "")} au ${formatDate(endsOn ?? "")}`],
      ["Payé le", formatDateTime(paidAt)],
      ["État", subscriptionStateNames[row.state]],
      ["Référence", referenceOf(row.id)],
    ]);
    page.heading("Détail du prix");
    await page.table(
      [
        { title: "Ligne", width: 150 },
        { title: "Explication", width: 243 },
        { title: "Montant", width: 90, right: true },
      ],
      [
        ...lines.map(({ label, why, amountCents }) => [label, why, formatMoney(amountCents)]),
        ["Total payé", "", formatMoney(paidCents)],
      ],
    );
    if (row.state === "cancelled" || row.state === "refused") {
      page.paragraph("Ce montant a été rendu en entier à la cagnotte qui l’avait payé.");
    }
  });
}
