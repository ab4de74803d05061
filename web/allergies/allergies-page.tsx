// « Allergènes » : what a person chooses to tell, with consent, and can take back at any moment.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { firstName, formatDate, ofName, plural } from "#contract/french.ts";
import {
  type Allergen,
  allergenNames,
  allergens,
  type HealthRecord,
} from "#contract/allergies/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import { SettingsPage } from "#web/app/shared/settings-page.tsx";
import { numberIn, useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextArea } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./allergies.module.css";

export function AllergiesPage() {
  const own = useUser().cardnumber;
  const [{ card: chosen }] = useSearchParameters<"allergies">();
  // Of a child, where the child's page leads here.
  const cardnumber = numberIn(chosen, 10) ?? own;
  const { cards } = useOwnCards({ without: [] });
  const child = cards?.find((card) => card.cardnumber === cardnumber && card.relation === "child");
  const whose = child && firstName(child.name);
  if (cardnumber === own) {
    return (
      <SettingsPage path={paths.allergies}>
        <Allergies cardnumber={own} />
      </SettingsPage>
    );
  }
  return (
    <Page>
      <PageHeader
        title={whose ? `Allergènes ${ofName(whose)}` : "Allergènes"}
        back={{ href: linkTo(paths.familyMember, { cardnumber }), label: whose ?? "Famille" }}
      />
      <div className={styles.child}>
        <Allergies cardnumber={cardnumber} />
      </div>
    </Page>
  );
}

function Allergies({ cardnumber }: { cardnumber: number }) {
  const seen = useAnswer(api.allergies.read, { cardnumber });
  return (
    <Stack gap={20}>
      {!seen.data && (
        <NotLoaded
          answer={seen}
          label="Chargement…"
          skeleton={
            <Section>
              <Skeleton lines={6} height="2.5rem" />
            </Section>
          }
          failed="Cette page n’a pas pu être chargée."
        />
      )}
      <MealsToReview cardnumber={cardnumber} />
      {seen.data && (
        <HealthForm
          key={seen.data.record?.updatedAt ?? "none"}
          record={seen.data.record}
          cardnumber={cardnumber}
        />
      )}
    </Stack>
  );
}

/** Meals that were ordered before what their menu holds was declared. */
function MealsToReview({ cardnumber }: { cardnumber: number }) {
  const { data } = useAnswer(api.canteen.orders, { when: "coming", cardnumber });
  const meals = data?.items.filter(({ toReview }) => toReview) ?? [];
  const [first] = meals;
  if (!first) return null;
  return (
    <Banner
      tone="warning"
      title={`${plural(meals.length, "repas commandé est", "repas commandés sont")} à revoir.`}
      actions={
        <ButtonLink
          href={linkTo(paths.meals, {}, { cancel: meals.length === 1 ? first.id : undefined })}
        >
          Voir
        </ButtonLink>
      }
    >
      Leur menu contient ce que vous avez déclaré, ou ne dit pas tout ce qu’il contient.
    </Banner>
  );
}

interface HealthFields {
  chosen: readonly Allergen[];
  note: string;
  consent: boolean;
}

function HealthForm({ record, cardnumber }: { record: HealthRecord | null; cardnumber: number }) {
  const keep = useAction(
    ({ chosen, note, consent }: HealthFields) =>
      call(api.allergies.keep, { cardnumber, allergens: [...chosen], note, consent }),
    {
      says: "Allergènes enregistrés.",
      onDone: (saved) => queryClient.setQueryData(keyOf(api.allergies.read, { cardnumber }), saved),
    },
  );
  const { values, set, field, errorOf, problem, form } = useForm<HealthFields>(
    { chosen: record?.allergens ?? [], note: record?.note ?? "", consent: record !== null },
    ({ consent }) => ({ consent: !consent && "Sans votre accord, nous ne gardons rien." }),
    keep,
  );
  const { chosen } = values;
  return (
    <Section title="Ce qui ne doit pas être servi">
      <form {...form}>
        <Text tone="soft">
          Ces informations touchent à la santé&#8239;: elles sont chiffrées, servent aux repas
          seulement, et s’effacent quand vous le voulez.
        </Text>
        <fieldset className={styles.allergiesChoices}>
          <legend className="unseen">Allergènes</legend>
          {allergens.map((one) => (
            <Checkbox
              key={one}
              label={allergenNames[one]}
              checked={chosen.includes(one)}
              onChecked={(on) =>
                set({ chosen: on ? [...chosen, one] : chosen.filter((other) => other !== one) })
              }
            />
          ))}
        </fieldset>
        <TextArea
          label="À savoir"
          hint="Par exemple où se trouve une trousse d’urgence."
          optional
          maxLength={300}
          {...field("note")}
        />
        <Checkbox
          label="J’accepte que ces informations soient gardées pour préparer les repas."
          hint={record ? `Accord donné le ${formatDate(record.consentedAt)}.` : undefined}
          checked={values.consent}
          onChecked={(consent) => set({ consent })}
          error={errorOf("consent")}
        />
        <ProblemBanner problem={problem} title="Rien n’a été enregistré." />
        <FormActions submit="Enregistrer" isSending={keep.isPending}>
          {record && <Withdraw cardnumber={cardnumber} />}
        </FormActions>
      </form>
    </Section>
  );
}

function Withdraw({ cardnumber }: { cardnumber: number }) {
  const [asking, setAsking] = useState(false);
  const withdraw = useAction(() => call(api.allergies.withdraw, { cardnumber }), {
    says: ({ message }) => message,
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Tout effacer</Button>
      <ConfirmAction
        act={withdraw}
        open={asking}
        onClose={() => setAsking(false)}
        failed="Rien n’a été effacé."
        title={"Effacer les allergènes\u202f?"}
        confirm="Effacer"
        cancel="Les garder"
        danger
      >
        Votre accord est retiré et ces informations sont effacées tout de suite. Les repas ne
        tiendront plus compte des allergies.
      </ConfirmAction>
    </>
  );
}
