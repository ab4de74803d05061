// Where the company is paid: the account that stands, masked, the change under way, and the past ones.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { BankAccountView, BankChange, BankChangeState } from "#contract/companies/bank.ts";
import { groupIban } from "#contract/companies/iban.ts";
import { formatDate, formatDateTime } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, Banner, ProblemBanner, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, Loaded, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";

const BankForm = lazy(async () => ({ default: (await import("./bank-form.tsx")).BankForm }));

export function BankAccount() {
  const answer = useAnswer(api.companies.bankAccount, {});
  const [isOpen, setIsOpen] = useState(false);
  const seen = answer.data;
  const change = seen?.canEdit && !seen.open && (
    <Button size="small" icon="edit" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
      {seen.account ? "Changer de compte" : "Donner un compte"}
    </Button>
  );
  return (
    <Section title="Compte bancaire" action={change}>
      <Loaded
        answer={answer}
        label="Chargement du compte bancaire…"
        lines={3}
        height="2.5rem"
        failed="Le compte bancaire n’a pas pu être chargé."
      >
        {(view) => <AccountDetails view={view} />}
      </Loaded>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={seen?.account ? "Changer de compte bancaire" : "Compte bancaire"}
      >
        {isOpen && (
          <Suspense
            fallback={
              <Loading>
                <Skeleton lines={3} height="3.5rem" />
              </Loading>
            }
          >
            <BankForm onClose={() => setIsOpen(false)} />
          </Suspense>
        )}
      </Dialog>
    </Section>
  );
}

function AccountDetails({
  view: { account, open, past, frozenUntil, canEdit },
}: {
  view: BankAccountView;
}) {
  return (
    <Stack gap={20}>
      {open && <Open change={open} frozenUntil={frozenUntil} />}
      {account ? (
        <DefinitionList
          items={[
            {
              label: "IBAN",
              value: (
                <Text as="span" numeric breakWord>
                  {account.iban}
                </Text>
              ),
            },
            account.bic ? { label: "BIC", value: account.bic } : null,
            { label: "Titulaire", value: account.holderName },
            { label: "Enregistré le", value: formatDate(account.requestedAt) },
          ]}
        />
      ) : (
        !open && (
          <EmptyState icon="wallet" title="Aucun compte bancaire">
            {canEdit
              ? "Donnez celui sur lequel l’entreprise est payée : rien ne peut lui être versé avant."
              : "Un responsable de l’entreprise le donne ici."}
          </EmptyState>
        )
      )}
      {past.length > 1 && (
        <details>
          <summary>Changements passés</summary>
          <Table
            caption="Changements passés de compte bancaire"
            columns={pastColumns}
            rows={past}
            keyOf={({ id }) => id}
          />
        </details>
      )}
    </Stack>
  );
}

const states: Readonly<Record<BankChangeState, { tone: Tone | "neutral"; says: string }>> = {
  waiting: { tone: "warning", says: "À confirmer" },
  frozen: { tone: "warning", says: "En attente" },
  standing: { tone: "success", says: "Pris en compte" },
  undone: { tone: "neutral", says: "Annulé" },
  lapsed: { tone: "neutral", says: "Sans réponse" },
};

const State = ({ change: { state } }: { change: BankChange }) => (
  <Badge tone={states[state].tone}>{states[state].says}</Badge>
);

const pastColumns: readonly Column<BankChange>[] = [
  { key: "iban", label: "IBAN", place: "title", cell: ({ iban }) => iban },
  { key: "at", label: "Demandé le", cell: ({ requestedAt }) => formatDate(requestedAt) },
  { key: "by", label: "Par", cell: ({ requestedBy }) => requestedBy },
  { key: "state", label: "État", place: "end", cell: (one) => <State change={one} /> },
];

/** The change under way: what it waits for, who may confirm it, and how it is undone. */
function Open({
  change,
  frozenUntil,
}: {
  change: NonNullable<BankAccountView["open"]>;
  frozenUntil: string | null;
}) {
  const confirm = useAction(
    (_: void, proof) => call(api.companies.confirmBankAccount, { id: change.id, ...proof }),
    { says: "Le changement de compte est confirmé." },
  );
  const undo = useAction(() => call(api.companies.undoBankAccount, { id: change.id }), {
    says: "Le changement de compte est annulé.",
  });
  return (
    <Banner
      tone="warning"
      title={
        change.state === "waiting"
          ? "Un changement attend un second responsable"
          : "Changement de compte en cours"
      }
      actions={
        <>
          {change.canConfirm && (
            <Button kind="primary" loading={confirm.isPending} onClick={() => confirm.send()}>
              Confirmer ce compte
            </Button>
          )}
          {change.canUndo && (
            <Button loading={undo.isPending} onClick={() => undo.send()}>
              Annuler le changement
            </Button>
          )}
        </>
      }
    >
      <p>
        {change.requestedBy} a demandé le {formatDateTime(change.requestedAt)} le compte{" "}
        <Text as="span" numeric breakWord>
          {change.iban.includes("•") ? change.iban : groupIban(change.iban)}
        </Text>
        , au nom de {change.holderName}.
      </p>
      {frozenUntil && <p>Aucun paiement ne part avant le {formatDateTime(frozenUntil)}.</p>}
      {change.answerUntil && (
        <p>
          {change.canConfirm
            ? "Comparez l’IBAN avec votre relevé d’identité bancaire avant de confirmer. "
            : "Un autre responsable que la personne qui l’a demandé le confirme. "}
          Sans réponse le {formatDateTime(change.answerUntil)}, rien ne change.
        </p>
      )}
      <ProblemBanner problem={confirm.problem ?? undo.problem} />
    </Banner>
  );
}
