// The step of the delivery: to the company's seat, or to another address.
import { api } from "#contract/api.ts";
import type { CardDelivery } from "#contract/card-orders/dispatch.ts";
import type { CardOrderDesk, CardOrderDraft } from "#contract/card-orders/rows.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { useDraft } from "./use-draft.ts";
import styles from "./card-orders.module.css";

const rules = ({ to, recipient, street, postcode, town }: CardDelivery) => ({
  recipient: recipient.trim() === "" && "Indiquez à qui remettre le colis.",
  street: to === "other" && street.trim() === "" && "Indiquez le numéro et la rue.",
  postcode: to === "other" && !/^\d{5}$/.test(postcode) && "Indiquez les 5 chiffres.",
  town: to === "other" && town.trim() === "" && "Indiquez la ville.",
});

export function DeliveryStep({
  desk: { company },
  draft,
  onDone,
}: {
  desk: CardOrderDesk;
  draft: CardOrderDraft;
  onDone: () => void;
}) {
  const write = useDraft(api.cardOrders.delivery, onDone);
  const sending = {
    ...write,
    mutateAsync: ({ to, postcode, ...where }: CardDelivery) =>
      write.mutateAsync({
        ...where,
        to,
        postcode: to === "other" ? postcode : "",
        revision: draft.revision,
      }),
  };
  const empty = { recipient: company.name.slice(0, 80), street: "", postcode: "", town: "" };
  const first: CardDelivery = draft.delivery ?? { to: "company", ...empty };
  const { values, set, field, problem, form } = useForm<CardDelivery>(
    first.to === "company" ? { ...first, street: "", postcode: "", town: "" } : first,
    rules,
    sending,
  );
  return (
    <form {...form}>
      <StepHeading>Où les envoyer&#8239;?</StepHeading>
      <RadioGroup
        label="Adresse"
        boxed
        options={[
          {
            value: "company",
            label: "Au siège",
            hint: `${company.street}, ${company.postcode} ${company.town}`,
          },
          { value: "other", label: "Ailleurs", hint: "Un autre site, un dépôt, un domicile." },
        ]}
        {...field("to")}
        onValue={(to) => set({ to })}
      />
      <TextInput
        label="À l’attention de"
        hint="Le colis contient les secrets de première connexion : à remettre en main propre."
        autoComplete="off"
        maxLength={80}
        {...field("recipient")}
      />
      {values.to === "other" && (
        <>
          <TextInput
            label="Adresse de livraison"
            autoComplete="street-address"
            maxLength={160}
            {...field("street")}
          />
          <div className={styles.town}>
            <TextInput
              label="Code postal"
              inputMode="numeric"
              autoComplete="postal-code"
              maxLength={5}
              {...field("postcode")}
            />
            <TextInput
              label="Ville"
              autoComplete="address-level2"
              maxLength={80}
              {...field("town")}
            />
          </div>
        </>
      )}
      <ProblemBanner problem={problem} title="Rien n’a été enregistré." />
      <FormActions submit="Continuer" iconEnd="forward" isSending={write.isPending} />
    </form>
  );
}
