// New prices from a day on, at one or several canteens of the provider: what they are, and what changes for how many,
// before all of them are booked in one act.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { ChangedCanteen } from "#contract/kitchen/price-changes.ts";
import { priceReason, type PriceTerms, termsKey } from "#contract/kitchen/prices.ts";
import type { CanteenPrice } from "#contract/kitchen/rules.ts";
import { audienceNames } from "#contract/kitchen/states.ts";
import { todayInParis } from "#contract/days.ts";
import type { Input } from "#contract/endpoint.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { type Answer, call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault, isDay } from "#web/ui/days.ts";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./price-change.module.css";

type OwnPrices = Answer<typeof api.canteen.ownPrices>["items"];

interface Typed {
  canteens: readonly string[];
  from: string;
  /** New prices by `termsKey`, in cents; a line without one keeps its price. */
  amounts: Readonly<Record<string, number | null>>;
}

/** A line of the prices of the chosen canteens, and what each asks for it now. */
interface Line {
  key: string;
  terms: PriceTerms;
  name: string;
  now: { canteen: string; priceCents: number }[];
}

export function PriceChangeForm({ canteen, onClose }: { canteen: string; onClose: () => void }) {
  const prices = useAnswer(api.canteen.ownPrices, {}, { atOnce: true });
  if (prices.data) return <Form items={prices.data.items} canteen={canteen} onClose={onClose} />;
  return <NotLoaded answer={prices} label="Chargement des tarifs…" lines={4} height="3rem" />;
}

/** The price that holds on a day, among those that a line has one after the other. */
const holdsOn = (day: string) => (price: CanteenPrice) =>
  (price.fromOn === null || price.fromOn <= day) &&
  (price.untilOn === null || price.untilOn >= day);

function linesOf(items: OwnPrices, day: string): Line[] {
  const lines = new Map<string, Line>();
  for (const { name: canteen, prices } of items) {
    for (const price of prices.filter(holdsOn(day))) {
      const key = termsKey(price);
      const line = lines.get(key) ?? { key, terms: price, name: price.name, now: [] };
      line.now.push({ canteen, priceCents: price.priceCents });
      lines.set(key, line);
    }
  }
  return [...lines.values()];
}

/** « Aujourd’hui 3,45 € », or by canteen where they differ. */
function nowWords({ now }: Line): string {
  const amounts = [...new Set(now.map(({ priceCents }) => priceCents))];
  if (amounts.length === 1) return `Aujourd’hui ${formatMoney(amounts[0] ?? 0)}.`;
  const each = now.map(({ canteen, priceCents }) => `${formatMoney(priceCents)} à ${canteen}`);
  return `Aujourd’hui ${each.join(", ")}.`;
}

function Form({
  items,
  canteen,
  onClose,
}: {
  items: OwnPrices;
  canteen: string;
  onClose: () => void;
}) {
  const today = todayInParis();
  const [typed, setTyped] = useState<Typed>({ canteens: [canteen], from: "", amounts: {} });
  const chosen = items.filter((one) => typed.canteens.includes(one.canteen));
  const isDated = isDay(typed.from) && typed.from >= today;
  const lines = linesOf(chosen, isDated ? typed.from : today);
  const change: Input<typeof api.canteen.previewPriceChange> = {
    canteens: chosen.map((one) => one.canteen),
    from: typed.from,
    amounts: lines.flatMap(({ key, terms }) => {
      const { audience, quotientMax, childrenMin, town, class: of } = terms;
      const priceCents = typed.amounts[key] ?? null;
      return priceCents === null || priceCents > 10_000
        ? []
        : [{ audience, quotientMax, childrenMin, town, class: of, priceCents }];
    }),
  };
  const isWhole = isDated && change.canteens.length > 0 && change.amounts.length > 0;
  const preview = useAnswer(api.canteen.previewPriceChange, change, { enabled: isWhole });
  const seen = isWhole ? preview.data : undefined;
  const book = useAction<{ message: string }, Typed>(
    () => call(api.canteen.changePrices, { ...change, fingerprint: seen?.fingerprint ?? "" }),
    { says: ({ message }) => message, onDone: onClose },
  );
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    typed,
    ({ canteens, from, amounts }): Faults<Typed> => ({
      canteens: canteens.length === 0 && "Choisissez une cantine au moins.",
      from: dayFault(from, { min: today, missing: "Indiquez le premier jour des nouveaux prix." }),
      amounts:
        (Object.values(amounts).every((cents) => cents === null) &&
          "Indiquez un nouveau prix au moins.") ||
        (Object.values(amounts).some((cents) => cents !== null && cents > 10_000) &&
          "Un repas coûte au plus 100 €."),
    }),
    book,
    { onValues: setTyped },
  );
  const choose = (id: string, isChosen: boolean) =>
    set({
      canteens: isChosen
        ? [...values.canteens, id]
        : values.canteens.filter((other) => other !== id),
    });
  const refusal = isWhole ? preview.error : null;
  return (
    <form {...form}>
      <fieldset className={styles.group}>
        <legend>Cantines</legend>
        {items.map(({ canteen: id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={values.canteens.includes(id)}
            onChecked={(isChosen) => choose(id, isChosen)}
            error={id === items[0]?.canteen ? errorOf("canteens") : undefined}
          />
        ))}
      </fieldset>
      <DateField
        label="À partir du"
        hint="Les repas déjà commandés gardent leur prix, ceux d’avant ce jour aussi."
        min={today}
        {...field("from")}
      />
      <fieldset className={styles.group}>
        <legend>Nouveaux prix</legend>
        {lines.length === 0 && <p>Ces cantines n’ont aucun tarif.</p>}
        {lines.map((line, place) => (
          <AmountInput
            key={line.key}
            label={`${line.name} (${audienceNames[line.terms.audience].toLowerCase()})`}
            hint={`${line.name === priceReason(line.terms) ? "" : `${priceReason(line.terms)}. `}${nowWords(line)} Vide, il ne change pas.`}
            cents={values.amounts[line.key] ?? null}
            error={place === 0 ? errorOf("amounts") : undefined}
            onCents={(cents) => set({ amounts: { ...values.amounts, [line.key]: cents } })}
          />
        ))}
      </fieldset>
      <div aria-live="polite" className={styles.preview}>
        {seen?.canteens.map((one) => (
          <Changed key={one.canteen} changed={one} from={values.from} />
        ))}
      </div>
      <ProblemBanner problem={problem ?? refusal} title="Aucun prix n’a changé." />
      <FormActions
        submit="Changer les prix"
        isSending={book.isPending}
        disabled={isWhole && !seen}
        onCancel={onClose}
      />
    </form>
  );
}

/** The changes at a canteen, and for how many. */
function Changed({ changed, from }: { changed: ChangedCanteen; from: string }) {
  const { name, lines, people, unchanged, without, ordered } = changed;
  return (
    <section aria-label={`Aperçu ${name}`}>
      <h3>{name}</h3>
      {lines.length === 0 && <Text tone="soft">Aucun de ses tarifs ne change.</Text>}
      <ul>
        {people.map(({ count, beforeCents, afterCents, reason }) => (
          <li key={`${beforeCents} ${afterCents} ${reason}`}>
            {plural(count, "inscrit")} ({reason}){"\u202f"}: {formatMoney(beforeCents)} puis{" "}
            <strong>{formatMoney(afterCents)}</strong>
          </li>
        ))}
        {lines.length > 0 && people.length === 0 && <li>Aucun inscrit ne paie un autre prix.</li>}
        {unchanged > 0 && <li>{plural(unchanged, "inscrit")} sans changement</li>}
        {without > 0 && <li>{plural(without, "inscrit")} sans tarif, avant comme après</li>}
        {ordered > 0 && (
          <li>
            {plural(ordered, "repas déjà commandé", "repas déjà commandés")} à partir du{" "}
            {formatDate(from)}
            {"\u202f"}: au prix de la commande
          </li>
        )}
      </ul>
    </section>
  );
}
