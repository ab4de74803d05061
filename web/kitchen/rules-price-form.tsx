// The form of a new price: whom it is for, what it asks, how much.
import { api } from "#contract/api.ts";
import { type PriceTerms, priceReason } from "#contract/kitchen/prices.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { type Audience, audienceNames, audiences } from "#contract/kitchen/states.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup, Select } from "#web/ui/choice.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { readCount } from "./rules-input.ts";
import styles from "./rules.module.css";

/** The fields as they are typed. */
interface Typed {
  audience: Audience;
  quotientMax: string;
  childrenMin: string;
  town: string;
  class: string;
  priceCents: number | null;
  name: string;
}

const readTerms = ({ audience, quotientMax, childrenMin, town, class: of }: Typed): PriceTerms => ({
  audience,
  quotientMax: readCount(quotientMax, 0, 99_999),
  childrenMin: readCount(childrenMin, 2, 20),
  town: town.trim() || null,
  class: of || null,
});

const faultsOf = ({ quotientMax, priceCents }: Typed): Faults<Typed> => ({
  quotientMax:
    quotientMax.trim() !== "" &&
    readCount(quotientMax, 0, 99_999) === null &&
    "Indiquez un quotient en euros, par exemple 700.",
  priceCents:
    (priceCents === null || priceCents > 10_000) &&
    "Indiquez un prix en euros, par exemple 3,45, au plus 100 €.",
});

const children = [
  { value: "", label: "Peu importe" },
  ...Array.from({ length: 5 }, (_, index) => ({
    value: String(index + 2),
    label: `${index + 2} enfants et plus`,
  })),
];
const everyAudience = audiences.map((value) => ({ value, label: audienceNames[value] }));

export function PriceForm({ canteen, onClose }: { canteen: OwnCanteen; onClose: () => void }) {
  const add = useAction(
    (typed: Typed) => {
      const terms = readTerms(typed);
      const name = typed.name.trim() || priceReason(terms);
      const priceCents = typed.priceCents ?? 0;
      return call(api.canteen.addPrice, { canteen: canteen.id, ...terms, name, priceCents });
    },
    { says: ({ message }) => message, onDone: onClose },
  );
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    {
      audience: "pupil",
      quotientMax: "",
      childrenMin: "",
      town: "",
      class: "",
      priceCents: null,
      name: "",
    },
    faultsOf,
    add,
  );
  const classes = canteen.classes.map((one) => ({ value: one, label: one }));
  return (
    <form {...form}>
      <RadioGroup label="Pour qui" options={everyAudience} {...field("audience")} />
      <AmountInput
        label="Prix du repas"
        cents={values.priceCents}
        error={errorOf("priceCents")}
        onCents={(priceCents) => set({ priceCents })}
      />
      <div className={styles.pair}>
        <TextInput
          label="Quotient jusqu’à"
          optional
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          {...field("quotientMax")}
        />
        <Select label="Enfants" optional options={children} {...field("childrenMin")} />
        <TextInput label="Commune" optional autoComplete="off" maxLength={80} {...field("town")} />
        {classes.length > 0 && (
          <Select
            label="Classe"
            optional
            options={[{ value: "", label: "Toutes" }, ...classes]}
            {...field("class")}
          />
        )}
      </div>
      <TextInput
        label="Nom du tarif"
        hint="Pour vous. Vide, c’est le motif ci-dessous."
        optional
        autoComplete="off"
        maxLength={60}
        {...field("name")}
      />
      <p className={styles.sentence} aria-live="polite">
        Motif montré aux familles : {priceReason(readTerms(values))}
      </p>
      <ProblemBanner problem={problem} title="Le tarif n’a pas été ajouté." />
      <FormActions submit="Ajouter le tarif" isSending={add.isPending} onCancel={onClose} />
    </form>
  );
}
