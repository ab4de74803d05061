// « Allergènes » : what a person chooses to tell, with consent, and can take back at any moment.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import { type Allergen, allergenNames, allergens, type HealthRecord } from "#contract/health.ts";
import { keyOf, queryClient, readAgain, useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextArea } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import "./privacy.css";

export function HealthPage() {
  const { cardnumber } = useUser();
  const seen = useAnswer(api.health.read, { cardnumber });
  return (
    <Page narrow>
      <PageHeader title="Allergènes" back={{ href: "/profil", label: "Profil" }} />
      <div className="privacy">
        {seen.isPending && (
          <Section>
            <Loading label="Chargement…">
              <Skeleton lines={6} height="2.5rem" />
            </Loading>
          </Section>
        )}
        {seen.isError && !seen.data && (
          <ErrorState
            title="Cette page n’a pas pu être chargée."
            message={seen.error.message}
            retrying={seen.isFetching}
            onRetry={() => void seen.refetch()}
          />
        )}
        {seen.data && (
          <HealthForm
            key={seen.data.record?.updatedAt ?? "none"}
            record={seen.data.record}
            cardnumber={cardnumber}
          />
        )}
      </div>
    </Page>
  );
}

function HealthForm({ record, cardnumber }: { record: HealthRecord | null; cardnumber: number }) {
  const [chosen, setChosen] = useState<ReadonlySet<Allergen>>(new Set(record?.allergens));
  const [note, setNote] = useState(record?.note ?? "");
  const [consent, setConsent] = useState(record !== null);
  const [tries, setTries] = useState(0);
  const keep = useMutation<{ record: HealthRecord | null }, ApiProblem>({
    mutationFn: () => call(api.health.keep, { cardnumber, allergens: [...chosen], note, consent }),
    onSuccess: (kept) => {
      queryClient.setQueryData(keyOf(api.health.read, { cardnumber }), kept);
      notify({ text: "Allergènes enregistrés.", kind: "success" });
    },
  });
  const wrong = !consent && "Sans votre accord, nous ne gardons rien.";
  const form = useFirstError<HTMLFormElement>(wrong && tries);
  const toggle = (one: Allergen, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(one);
    else next.delete(one);
    setChosen(next);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (!wrong) keep.mutate();
  };
  return (
    <Section title="Ce qui ne doit pas être servi">
      <form className="privacy-form" ref={form} noValidate onSubmit={send}>
        <p className="privacy-lead">
          Ces informations touchent à la santé&#8239;: elles sont chiffrées, servent aux repas
          seulement, et s’effacent quand vous le voulez.
        </p>
        <fieldset className="privacy-choices">
          <legend className="unseen">Allergènes</legend>
          {allergens.map((one) => (
            <Checkbox
              key={one}
              label={allergenNames[one]}
              checked={chosen.has(one)}
              onChecked={(on) => toggle(one, on)}
            />
          ))}
        </fieldset>
        <TextArea
          label="À savoir"
          hint="Par exemple où se trouve une trousse d’urgence."
          optional
          maxLength={300}
          value={note}
          onValue={setNote}
        />
        <Checkbox
          label="J’accepte que ces informations soient gardées pour préparer les repas."
          hint={record ? `Accord donné le ${formatDate(record.consentedAt)}.` : undefined}
          checked={consent}
          onChecked={setConsent}
          error={tries > 0 && wrong}
        />
        {keep.error && (
          <Banner tone="danger" alert title="Rien n’a été enregistré.">
            {keep.error.message}
          </Banner>
        )}
        <div className="privacy-acts">
          {record && <Withdraw cardnumber={cardnumber} />}
          <Button kind="primary" type="submit" loading={keep.isPending}>
            Enregistrer
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Withdraw({ cardnumber }: { cardnumber: number }) {
  const [asking, setAsking] = useState(false);
  const withdraw = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.health.withdraw, { cardnumber }),
    onSuccess: async ({ message }) => {
      await readAgain(api.health.read);
      notify({ text: message, kind: "success" });
    },
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Tout effacer</Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Effacer les allergènes ?"
        confirm="Effacer"
        cancel="Les garder"
        danger
        loading={withdraw.isPending}
        onConfirm={() => withdraw.mutate()}
      >
        Votre accord est retiré et ces informations sont effacées tout de suite. Les repas ne
        tiendront plus compte des allergies.
      </AlertDialog>
      {withdraw.error && (
        <Banner tone="danger" alert title="Rien n’a été effacé.">
          {withdraw.error.message}
        </Banner>
      )}
    </>
  );
}
