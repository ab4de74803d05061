// The step of the design: what is printed, beside the card as it will be.
import { api } from "#contract/api.ts";
import {
  type CardInk,
  cardInkNames,
  cardInks,
  cardOrders as limits,
} from "#contract/card-orders/limits.ts";
import type { CardDesign } from "#contract/card-orders/dispatch.ts";
import { motifOf } from "#contract/motif.ts";
import type { CardOrderDesk, CardOrderDraft } from "#contract/card-orders/rows.ts";
import { joinedName } from "#contract/french.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Card } from "#web/ui/card.tsx";
import { Checkbox, RadioGroup } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { useDraft } from "./use-draft.ts";
import styles from "./card-orders.module.css";

/**
 * A number that no card has, drawn in this ink: those of the order are known once it is made, and so are the
 * drawings made from them.
 */
function exampleOf(ink: CardInk): number {
  let number = 2_999_999_999;
  while (motifOf(number, 1).ink !== ink) number--;
  return number;
}

const rules = ({ label }: CardDesign) => ({
  label: label.trim() === "" && "Indiquez ce qui est imprimé, par exemple le nom de l’entreprise.",
});

export function DesignStep({
  desk,
  draft,
  onDone,
}: {
  desk: CardOrderDesk;
  draft: CardOrderDraft;
  onDone: () => void;
}) {
  const write = useDraft(api.cardOrders.design, onDone);
  const sending = {
    ...write,
    mutateAsync: (design: CardDesign) => write.mutateAsync({ ...design, revision: draft.revision }),
  };
  const name = desk.company.name.slice(0, limits.labelLength);
  const first = draft.design ?? { label: name, ink: "lagoon", printsNames: true };
  const { values, set, field, problem, form } = useForm<CardDesign>(first, rules, sending, {
    problemFields: { card_order_label: "label" },
  });
  const [person] = draft.persons;
  const bearer = person ? joinedName(person) : "Prénom Nom";
  return (
    <form {...form}>
      <StepHeading>À quoi ressemblent-elles&#8239;?</StepHeading>
      <figure className={styles.preview}>
        <Card
          cardnumber={exampleOf(values.ink)}
          name={values.printsNames ? bearer : "Carte pro"}
          kind={values.label.trim() || "\u00a0"}
        />
        <Text as="figcaption" tone="soft" size="small" weight="normal">
          Numéro d’exemple&#8239;: chaque carte a le sien, et le dessin qui en est tiré.
        </Text>
      </figure>
      <TextInput
        label="Texte imprimé"
        hint={`En haut de la carte, ${limits.labelLength} caractères au plus.`}
        autoComplete="off"
        maxLength={limits.labelLength}
        {...field("label")}
      />
      <RadioGroup
        label="Couleur"
        options={cardInks.map((value) => ({ value, label: cardInkNames[value] }))}
        {...field("ink")}
        onValue={(ink) => set({ ink })}
      />
      <Checkbox
        label="Imprimer le nom de chaque personne"
        hint="Une carte sans porteur n’en a pas."
        checked={values.printsNames}
        onChecked={(printsNames) => set({ printsNames })}
      />
      <ProblemBanner problem={problem} title="Rien n’a été enregistré." />
      <FormActions submit="Continuer" iconEnd="forward" isSending={write.isPending} />
    </form>
  );
}
