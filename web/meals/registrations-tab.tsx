// Registrations of one's canteens: requests to answer first, then the people of each class.
import { type ReactNode, useState } from "react";
import { api } from "#contract/api.ts";
import type { DeskRegistration, DeskRegistrations } from "#contract/meals/desk.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { audienceNames, dietNames } from "#contract/kitchen/states.ts";
import { formatDate, ofName } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { registrationDays } from "./registration-days.ts";
import { RefusalForm } from "./refusal-form.tsx";
import styles from "./requests.module.css";

export function RegistrationsTab({ canteen }: { canteen: OwnCanteen }) {
  const [className, setClassName] = useState<string | undefined>(canteen.classes[0] ?? "");
  const list = useAnswer(api.canteen.deskRegistrations, { canteen: canteen.id, className });
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des inscriptions…"
        lines={4}
        height="5rem"
        failed="Les inscriptions n’ont pas pu être chargées."
      />
    );
  }
  return (
    <Stack gap={20}>
      <Requests waiting={list.data.waiting} />
      <Classes
        canteen={canteen}
        list={list.data}
        className={className}
        onClassName={setClassName}
      />
    </Stack>
  );
}

function Requests({ waiting }: { waiting: readonly DeskRegistration[] }) {
  const [refusing, setRefusing] = useState<DeskRegistration | null>(null);
  const accept = useAction(
    (registration: string) =>
      call(api.canteen.answerRegistration, { registration, accept: true, reason: "" }),
    { says: ({ message }) => message },
  );
  return (
    <Section title="Demandes à étudier">
      {waiting.length === 0 && (
        <Text tone="soft" size="fine">
          Aucune demande n’attend de réponse.
        </Text>
      )}
      <ul className={styles.people}>
        {waiting.map((one) => (
          <li key={one.id}>
            <Words one={one}>
              Demandée par {one.requestedBy} le {formatDate(one.requestedAt)}
              {one.fromOn !== null && ` · À partir du ${formatDate(one.fromOn)}`}
            </Words>
            <Button
              size="small"
              icon="check"
              loading={accept.isPending && accept.variables === one.id}
              onClick={() => accept.send(one.id)}
            >
              Accepter<span className="unseen"> {one.name}</span>
            </Button>
            <Button
              size="small"
              kind="ghost"
              aria-haspopup="dialog"
              onClick={() => setRefusing(one)}
            >
              Refuser<span className="unseen"> {one.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <ProblemBanner problem={accept.problem} />
      <Dialog
        open={refusing !== null}
        onClose={() => setRefusing(null)}
        title={refusing ? `Refuser l’inscription ${ofName(refusing.name)}` : ""}
      >
        {refusing && (
          <RefusalForm
            submit="Refuser l’inscription"
            refuse={(reason) =>
              call(api.canteen.answerRegistration, {
                registration: refusing.id,
                accept: false,
                reason,
              })
            }
            onClose={() => setRefusing(null)}
          />
        )}
      </Dialog>
    </Section>
  );
}

function Classes({
  canteen,
  list,
  className,
  onClassName,
}: {
  canteen: OwnCanteen;
  list: DeskRegistrations;
  className: string | undefined;
  onClassName: (className: string) => void;
}) {
  const [ending, setEnding] = useState<DeskRegistration | null>(null);
  const end = useAction(
    ({ id }: DeskRegistration) => call(api.canteen.dismissRegistration, { registration: id }),
    { says: ({ message }) => message },
  );
  const file = useAction(async (kind: "classListCsv" | "classListPdf") => {
    const query = { canteen: canteen.id, className };
    save(
      kind === "classListCsv"
        ? await call(api.canteen.classListCsv, query)
        : await call(api.canteen.classListPdf, query),
    );
  });
  const counts = new Map(list.classes.map((one) => [one.className, one.count]));
  const known = [...new Set([...canteen.classes, ...counts.keys()])];
  return (
    <Section title="Inscrits">
      {known.length > 1 && (
        <Chips
          label="Classe"
          options={known.map((value) => ({
            value,
            label: value || "Sans classe",
            count: counts.get(value) ?? 0,
          }))}
          value={className === undefined ? [] : [className]}
          onValue={onClassName}
        />
      )}
      {list.accepted.length === 0 && (
        <EmptyState icon="people" title="Personne n’est inscrit ici pour l’instant.">
          Les familles demandent l’inscription depuis leur espace, vous y répondez ici.
        </EmptyState>
      )}
      {list.accepted.length > 0 && (
        <>
          <Actions>
            <Button
              size="small"
              icon="document"
              loading={file.isPending && file.variables === "classListPdf"}
              onClick={() => file.send("classListPdf")}
            >
              Liste en PDF
            </Button>
            <Button
              size="small"
              icon="download"
              loading={file.isPending && file.variables === "classListCsv"}
              onClick={() => file.send("classListCsv")}
            >
              Liste en CSV
            </Button>
          </Actions>
          <ul className={styles.people}>
            {list.accepted.map((one) => (
              <li key={one.id}>
                <Words one={one}>{registrationDays(one)}</Words>
                <Button
                  size="small"
                  kind="ghost"
                  aria-haspopup="dialog"
                  onClick={() => setEnding(one)}
                >
                  Mettre fin<span className="unseen"> à l’inscription {ofName(one.name)}</span>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <ProblemBanner problem={file.problem} />
      <ConfirmAction
        act={end}
        input={ending}
        onClose={() => setEnding(null)}
        title={ending ? `Mettre fin à l’inscription ${ofName(ending.name)}\u202f?` : ""}
        confirm="Mettre fin"
        danger
      >
        La famille est prévenue. Elle pourra demander une nouvelle inscription.
      </ConfirmAction>
    </Section>
  );
}

/** The person, and what the kitchen must know of them. */
function Words({ one, children }: { one: DeskRegistration; children: ReactNode }) {
  const facts = [
    one.className || audienceNames[one.audience],
    dietNames[one.diet],
    one.pai ? "PAI" : null,
    one.sharesAllergens ? "allergènes communiqués" : null,
    one.sharesPhoto ? "photo communiquée" : null,
  ].filter((fact) => fact !== null);
  return (
    <span className={styles.personWords}>
      <strong>{one.name}</strong>
      <Text as="span" tone="soft" size="fine">
        {facts.join(" · ")}
      </Text>
      {children && (
        <Text as="span" tone="soft" size="fine">
          {children}
        </Text>
      )}
    </span>
  );
}
