// The receipt of a credited top-up.
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDateTime, formatMoney } from "#contract/french.ts";
import { topUpCan } from "#contract/payments.ts";
import type { Deps } from "#server/deps.ts";
import { paper } from "../http/paper.ts";
import type { TopUpRow } from "./top-ups.ts";

/** The PDF; throws `receipt_not_ready` until the money is there. */
export async function receiptPdf(deps: Deps, topUp: TopUpRow): Promise<Buffer> {
  if (!topUpCan.receipt(topUp) || !topUp.creditedAt) throw new Problem("receipt_not_ready");
  const { creditedAt } = topUp;
  const options = { title: "Reçu de recharge", cardnumber: topUp.cardnumber, madeAt: deps.now() };
  return await paper(options, (page) => {
    page.facts([
      ["Montant", formatMoney(topUp.amountCents)],
      ["Cagnotte", topUp.name],
      ["Titulaire", topUp.ownerName],
      ["Carte", formatCardnumber(topUp.cardnumber)],
      ["Créditée le", formatDateTime(creditedAt)],
      ["Moyen de paiement", "Carte bancaire"],
      ["Référence", topUp.id],
      ["Référence du paiement", topUp.providerRef ?? ""],
    ]);
    if (topUp.provider === "sandbox") {
      page.paragraph("Paiements fictifs\u202f: ce reçu ne correspond à aucun débit réel.");
    }
    page.paragraph("Une recharge n'est pas un achat\u202f: elle ne donne pas lieu à facture.");
  });
}
