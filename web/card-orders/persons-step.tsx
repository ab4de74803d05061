// The step of persons: who gets a card, added by a form or a file, and how many cards wait for somebody.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import { priceOf } from "#contract/card-orders/price.ts";
import type { CardOrderDesk, OrderedPerson } from "#contract/card-orders/rows.ts";
import { formatMoney, joinedName, plural, theOthers } from "#contract/french.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { useDraft } from "./use-draft.ts";
import styles from "./card-orders.module.css";

const PersonForm = lazy(async () => ({ default: (await import("./person-form.tsx")).PersonForm }));
const PersonsFile = lazy(async () => ({
  default: (await import("./persons-file.tsx")).PersonsFile,
}));

/** Persons shown before the others are asked for. */
const initialCount = 12;

const none: readonly OrderedPerson[] = [];

export function PersonsStep({ desk, onDone }: { desk: CardOrderDesk; onDone: () => void }) {
  const { draft } = desk;
  const [revision, persons] = [draft?.revision ?? 0, draft?.persons ?? none];
  const [adding, setAdding] = useState<"form" | "file">("form");
  const [open, setOpen] = useState(false);
  const ask = (what: "form" | "file") => {
    setAdding(what);
    setOpen(true);
  };
  const remove = useDraft(api.cardOrders.persons);
  const write = useDraft(api.cardOrders.persons, onDone);
  const sending = {
    ...write,
    mutateAsync: ({ blank }: { blank: string }) =>
      write.mutateAsync({ revision, persons: [...persons], blank: Number(blank) }),
  };
  const max = Math.min(limits.max, desk.left);
  const rules = ({ blank }: { blank: string }) => {
    const count = /^\d{1,3}$/.test(blank) ? Number(blank) : -1;
    const total = persons.length + count;
    return {
      blank:
        count < 0
          ? "Indiquez un nombre, 0 s’il n’y en a pas."
          : total === 0
            ? "Ajoutez une personne, ou au moins une carte sans porteur."
            : total > max && `Une commande compte ${plural(max, "carte")} au plus.`,
    };
  };
  const first = { blank: String(draft?.blank ?? 0) };
  const { values, field, problem, form } = useForm(first, rules, sending);
  const blank = Number(values.blank) || 0;
  const keep = { revision, persons, blank: Math.min(blank, limits.max - persons.length) };
  return (
    <>
      <form {...form}>
        <StepHeading>Pour qui sont les cartes&#8239;?</StepHeading>
        <Persons
          persons={persons}
          busy={remove.isPending}
          onRemove={(place) =>
            remove.send({ ...keep, persons: persons.filter((_, index) => index !== place) })
          }
        />
        <ProblemBanner problem={remove.problem} title="La personne n’a pas été retirée." />
        <Actions wide>
          <Button icon="plus" aria-haspopup="dialog" onClick={() => ask("form")}>
            Ajouter une personne
          </Button>
          <Button icon="document" aria-haspopup="dialog" onClick={() => ask("file")}>
            Importer un fichier
          </Button>
        </Actions>
        <TextInput
          label="Cartes sans porteur"
          hint={"Vous les attribuerez plus tard, depuis «\u00a0Cartes pro\u00a0»."}
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          {...field("blank")}
        />
        <PriceHint desk={desk} quantity={persons.length + blank} />
        <ProblemBanner problem={problem} title="Rien n’a été enregistré." />
        <FormActions submit="Continuer" iconEnd="forward" isSending={write.isPending} />
      </form>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={adding === "form" ? "Ajouter une personne" : "Importer des personnes"}
      >
        <Suspense fallback={<Skeleton lines={4} height="3.5rem" />}>
          {adding === "form" ? (
            <PersonForm key={revision} keep={keep} onClose={() => setOpen(false)} />
          ) : (
            <PersonsFile keep={keep} onClose={() => setOpen(false)} />
          )}
        </Suspense>
      </Dialog>
    </>
  );
}

function Persons({
  persons,
  busy,
  onRemove,
}: {
  persons: readonly OrderedPerson[];
  busy: boolean;
  onRemove: (place: number) => void;
}) {
  const [all, setAll] = useState(false);
  if (persons.length === 0) {
    return (
      <Text tone="soft" size="small" weight="normal">
        Ajoutez les personnes une à une, ou d’un coup avec un fichier de votre tableur.
      </Text>
    );
  }
  const visible = all ? persons : persons.slice(0, initialCount);
  return (
    <div>
      <ul className={styles.persons} aria-label={plural(persons.length, "personne")}>
        {visible.map(({ email, phonenumber, ...person }, place) => {
          const name = joinedName(person);
          return (
            // Two persons may bear the same name.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${place}${name}`}>
              <Avatar name={name} size="small" />
              <span className={styles.personWords}>
                <Text as="span" weight="strong">
                  {name}
                </Text>
                <Text as="span" tone="soft" size="small" weight="normal">
                  {[email, phonenumber].filter(Boolean).join(", ") || "Sans adresse"}
                </Text>
              </span>
              <IconButton
                icon="trash"
                label={`Retirer ${name}`}
                disabled={busy}
                onClick={() => onRemove(place)}
              />
            </li>
          );
        })}
      </ul>
      {visible.length < persons.length && (
        <Button kind="ghost" size="small" onClick={() => setAll(true)}>
          Voir {theOthers(persons.length - visible.length)}
        </Button>
      )}
    </div>
  );
}

/** The price of a card at this number, and from which number on it costs less. */
function PriceHint({ desk: { prices }, quantity }: { desk: CardOrderDesk; quantity: number }) {
  if (quantity === 0) return null;
  const { unitCents } = priceOf(quantity, prices);
  const cheaper = prices.tiers.find(({ from }) => from > quantity);
  return (
    <Text as="output" weight="strong" numeric>
      {plural(quantity, "carte")}&#8239;: {formatMoney(unitCents)} HT l’unité
      {cheaper && `, ${formatMoney(cheaper.unitCents)} dès ${plural(cheaper.from, "carte")}`}.
    </Text>
  );
}
