// The return from a first payment: whether it came through, and whether the payment method could be kept.
import { useEffect } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { ruleCan } from "#contract/funding/rows.ts";
import { topUpCan } from "#contract/payments/rows.ts";
import { referenceOf } from "#contract/reference.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { useFollowedPayment } from "#web/wallet/use-followed-payment.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { short } from "#web/wallet/top-up-limits.ts";
import { topUpWords } from "#web/wallet/top-up-words.ts";

const lookMs = 2000;
const looksFor = 15_000;

/** Stays until it is put away, or until the rule that it paid changes: it says why that rule runs or does not. */
export function FirstPayment({
  id,
  objectID,
  card,
  onClose,
}: {
  id: string;
  objectID: string;
  /** Whose wallet it is. */
  card: Card | null;
  onClose: () => void;
}) {
  const { data } = useFollowedPayment(id, () => noteChanges(["funding"]));
  const { data: seen, refetch } = useAnswer(api.funding.automations, { objectID });
  const rule = seen?.rules.find(({ firstPayment }) => firstPayment === id);
  const waiting = rule !== undefined && ruleCan.pay(rule);
  const credited = data?.state === "credited";
  useEffect(() => {
    if (!credited || !waiting) return;
    // What the provider kept is asked a moment after the payment.
    const looking = setInterval(() => void refetch(), lookMs);
    const enough = setTimeout(() => clearInterval(looking), looksFor);
    return () => {
      clearInterval(looking);
      clearTimeout(enough);
    };
  }, [credited, waiting, refetch]);
  if (!data) return null;
  const close = (
    <Button size="small" onClick={onClose}>
      Fermer
    </Button>
  );
  if (credited && !waiting) {
    // The rule may have been paused, deleted or paid again since.
    if (rule?.state !== "active") return null;
    return (
      <Banner tone="success" alert title="La recharge automatique est active." actions={close}>
        {short(data.amountCents)} ont rejoint la cagnotte, et votre carte bancaire est enregistrée.
      </Banner>
    );
  }
  if (credited) {
    return (
      <Banner tone="warning" alert title="Payé, mais rien n’a été gardé." actions={close}>
        {short(data.amountCents)} ont rejoint la cagnotte. Sans «&nbsp;garder ce moyen de
        paiement&nbsp;», la recharge automatique ne peut pas démarrer&#8239;: vous pouvez
        recommencer ci-dessous.
      </Banner>
    );
  }
  if (data.state === "declined") {
    return (
      <Banner tone="danger" alert title="Le paiement n’a pas abouti." actions={close}>
        {data.reason} Vous pouvez recommencer ci-dessous.
      </Banner>
    );
  }
  if (topUpCan.rest(data)) {
    const { tone, title, lines } = topUpWords(data, card);
    return (
      <Banner tone={tone} alert title={title} actions={close}>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <p>Référence&nbsp;: {referenceOf(data.id)}</p>
      </Banner>
    );
  }
  return (
    <Banner tone="info" title="Nous attendons la réponse du paiement.">
      Ne payez pas une seconde fois&#8239;: cette page change d’elle-même.
    </Banner>
  );
}
