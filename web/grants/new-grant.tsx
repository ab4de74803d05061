// A new grant: what it is for, where and until when, how much on which cards, with its total as it is typed.
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { addDays, addMonths, todayInParis } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import { wireSearch } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault, isDay } from "#web/ui/days.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { CardChoice } from "./card-choice.tsx";
import styles from "./grants.module.css";

const GrantFile = lazy(async () => ({ default: (await import("./grant-file.tsx")).GrantFile }));

type Choices = Output<typeof api.grants.choices>;

export function NewGrant() {
  const choices = useAnswer(api.grants.choices, {});
  const barred =
    choices.error?.code === "company_role" || choices.error?.code === "company_missing";
  return (
    <Page narrow>
      <PageHeader
        title="Accorder de l’argent"
        lead="Vous payez maintenant, vos salariés dépensent ensuite."
        back={{ href: paths.grants, label: "Dotations" }}
      />
      {!choices.data && (
        <Section>
          {barred ? (
            <EmptyState
              icon="lock"
              title="Seul un responsable accorde de l’argent"
              action={<ButtonLink href={paths.grants}>Voir les dotations</ButtonLink>}
            >
              {choices.error?.message}
            </EmptyState>
          ) : (
            <NotLoaded
              answer={choices}
              label="Chargement de vos cartes…"
              lines={5}
              height="3.5rem"
              failed="Vos cartes n’ont pas pu être chargées."
            />
          )}
        </Section>
      )}
      {choices.data && (
        <Section>
          {choices.data.cards.length === 0 ? (
            <EmptyState
              icon="card"
              title="Aucune carte ne peut en recevoir"
              action={<ButtonLink href={paths.proCards}>Voir les cartes</ButtonLink>}
            >
              Il faut une carte active et confiée à quelqu’un.
            </EmptyState>
          ) : (
            <GrantForm choices={choices.data} />
          )}
        </Section>
      )}
    </Page>
  );
}

interface Typed {
  label: string;
  idgroup: string;
  expiresOn: string;
  amountCents: number | null;
  /** The cards that are ticked. */
  chosen: readonly number[];
  /** Amounts of a file, by card; null while one amount is for all. */
  amounts: Readonly<Record<number, number>> | null;
}

const amountOf = ({ amounts, amountCents }: Typed, cardnumber: number): number =>
  amounts?.[cardnumber] ?? amountCents ?? 0;

const rulesOf = (typed: Typed, span: { min: string; max: string }): Faults<Typed> => ({
  label: typed.label.trim() === "" && "Dites à vos salariés à quoi sert cet argent.",
  expiresOn: typed.expiresOn === "" ? "Indiquez une date." : dayFault(typed.expiresOn, span),
  amountCents:
    typed.amounts === null &&
    (typed.amountCents === null ||
      typed.amountCents < limits.minCents ||
      typed.amountCents > limits.maxCents) &&
    `De ${formatMoney(limits.minCents)} à ${formatMoney(limits.maxCents)} par carte.`,
  chosen:
    typed.chosen.length === 0
      ? "Choisissez au moins une carte."
      : typed.chosen.length > limits.max &&
        `${limits.max} cartes au plus. Retirez-en, ou faites deux dotations.`,
});

function GrantForm({ choices }: { choices: Choices }) {
  const today = todayInParis();
  const span = { min: addDays(today, 1), max: addMonths(today, limits.monthsAhead) };
  const navigate = useNavigate();
  const [importing, setImporting] = useState(false);
  // Sent again after a lost answer, it is the same draft.
  const [draft] = useState(() => crypto.randomUUID());
  const sending = useAction(
    (typed: Typed) =>
      call(api.grants.write, {
        draft,
        label: typed.label.trim(),
        idgroup: Number(typed.idgroup),
        expiresOn: typed.expiresOn,
        cards: typed.chosen.map((cardnumber) => ({
          cardnumber,
          amountCents: amountOf(typed, cardnumber),
        })),
      }),
    {
      onDone: (written) => {
        queryClient.setQueryData(keyOf(api.grants.read, { grant: written.id }), written);
        void navigate({ to: ".", search: wireSearch<"grants">({ grant: written.id }) });
      },
    },
  );
  const first: Typed = {
    label: "",
    idgroup: String((choices.groups[1] ?? choices.groups[0])?.idgroup ?? 1),
    expiresOn: "",
    amountCents: null,
    chosen: [],
    amounts: null,
  };
  const { values, set, errorOf, field, problem, form } = useForm<Typed>(
    first,
    (typed) => rulesOf(typed, span),
    sending,
    {
      problemFields: {
        grant_label: "label",
        grant_day: "expiresOn",
        grant_group: "idgroup",
        grant_card: "chosen",
      },
      draft: { name: "grant", fields: ["label", "idgroup", "expiresOn", "amountCents"] },
    },
  );
  const { amounts, chosen } = values;
  const group = choices.groups.find(({ idgroup }) => String(idgroup) === values.idgroup);
  return (
    <>
      <form {...form}>
        <TextInput
          label="Libellé"
          hint="Vos salariés le lisent, par exemple «&nbsp;Repas de décembre&nbsp;»."
          autoComplete="off"
          maxLength={limits.labelLength}
          {...field("label")}
        />
        <Select
          label="Où l’utiliser"
          hint={group?.rule}
          options={choices.groups.map(({ idgroup, name }) => ({
            value: String(idgroup),
            label: idgroup === 1 ? "Partout" : name,
          }))}
          {...field("idgroup")}
        />
        <DateField
          label="À utiliser jusqu’au"
          hint="Ce qui n’est pas dépensé ce jour-là vous revient."
          {...span}
          {...field("expiresOn")}
        />
        {amounts === null && (
          <AmountInput
            label="Montant par carte"
            cents={values.amountCents}
            onCents={(amountCents) => set({ amountCents })}
            error={errorOf("amountCents")}
          />
        )}
        <CardChoice
          cards={choices.cards}
          chosen={chosen}
          amountOf={amounts === null ? null : (cardnumber) => amountOf(values, cardnumber)}
          error={errorOf("chosen")}
          onChosen={(next) => set({ chosen: next })}
        >
          {amounts === null ? (
            <Button icon="document" aria-haspopup="dialog" onClick={() => setImporting(true)}>
              Importer un fichier
            </Button>
          ) : (
            <Button icon="close" onClick={() => set({ amounts: null, chosen: [] })}>
              Oublier le fichier
            </Button>
          )}
        </CardChoice>
        <Preview typed={values} group={group?.name ?? ""} />
        <ProblemBanner problem={problem} title="La dotation n’a pas été enregistrée." />
        <FormActions submit="Continuer" iconEnd="forward" isSending={sending.isPending} />
      </form>
      <Dialog open={importing} onClose={() => setImporting(false)} title="Importer des montants">
        {importing && (
          <Suspense fallback={<Skeleton lines={3} height="3rem" />}>
            <GrantFile
              onClose={() => setImporting(false)}
              onRead={(cards) => {
                set({
                  chosen: cards.map(({ cardnumber }) => cardnumber),
                  amounts: Object.fromEntries(
                    cards.map(({ cardnumber, amountCents }) => [cardnumber, amountCents]),
                  ),
                });
                setImporting(false);
              }}
            />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}

/** The cost, and the text that a bearer will read, as they are typed. */
function Preview({ typed, group }: { typed: Typed; group: string }) {
  const { chosen, label, expiresOn } = typed;
  const total = chosen.reduce((sum, cardnumber) => sum + amountOf(typed, cardnumber), 0);
  const day = isDay(expiresOn) ? formatDate(expiresOn) : "…";
  return (
    <output className={styles.preview}>
      <span className={styles.total}>
        {plural(chosen.length, "carte")}, {formatMoney(total)}
      </span>
      <Text as="span" tone="soft" size="small" weight="normal" numeric>
        Sur chaque carte&#8239;: «&nbsp;{label.trim() || "…"}&nbsp;», {group}, jusqu’au {day}
      </Text>
    </output>
  );
}
