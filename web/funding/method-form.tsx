// Which kept payment method an automatic top-up charges from now on.
import { api } from "#contract/api.ts";
import type { Automations, Rule } from "#contract/funding/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { short } from "#web/wallet/top-up-limits.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { Text } from "#web/ui/text.tsx";

interface Typed {
  paymentMethodId: string;
}

export function MethodForm({
  rule,
  others,
  onClose,
}: {
  rule: Rule;
  /** Those that it does not charge already: one at least. */
  others: Automations["paymentMethods"];
  onClose: () => void;
}) {
  const save = useAction(
    ({ paymentMethodId }: Typed, proof) =>
      call(api.funding.payRule, { ruleId: rule.id, paymentMethodId, ...proof }),
    { says: "La recharge automatique utilise maintenant ce moyen de paiement.", onDone: onClose },
  );
  const { field, problem, form } = useForm<Typed>(
    { paymentMethodId: others[0]?.id ?? "" },
    () => ({}),
    save,
    { isLeftFreely: true },
  );
  return (
    <form {...form}>
      <RadioGroup
        label="Moyen de paiement"
        {...field("paymentMethodId")}
        options={others.map(({ id, label }) => ({ value: id, label }))}
      />
      <ProblemBanner problem={problem} title="Le moyen de paiement n’a pas changé." />
      <Text tone="soft" size="fine" numeric breakWord>
        Il sera débité sans vous demander à chaque fois, dans la limite de{" "}
        {short(rule.monthlyCents)} par mois. Un code vous sera demandé.
      </Text>
      <FormActions
        submit="Utiliser ce moyen de paiement"
        isSending={save.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
