// Illnesses announced at one's canteens: certificates to answer first.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { DeskIllness } from "#contract/meals/illness.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { illnessCan, illnessStateNames } from "#contract/meals/states.ts";
import { formatDate, formatMoney, ofName, plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { notify } from "#web/ui/toast.tsx";
import { illnessDays, illnessMoney } from "./illness-words.ts";
import { illnessTones } from "./illness-tones.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { RefusalForm } from "./refusal-form.tsx";
import styles from "./requests.module.css";

interface Message {
  message: string;
}
const notifyMessage = ({ message }: Message) => notify({ text: message, kind: "success" });

export function IllnessesTab({ canteen }: { canteen: OwnCanteen }) {
  const list = useAnswer(api.canteen.deskIllnesses, { canteen: canteen.id });
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des absences…"
        lines={4}
        height="4rem"
        failed="Les absences n’ont pas pu être chargées."
      />
    );
  }
  const { items } = list.data;
  if (items.length === 0) {
    return (
      <EmptyState icon="calendar" title="Aucune absence pour maladie.">
        Les absences que les familles signalent s’affichent ici, avec leur certificat si vous le
        demandez dans les règles.
      </EmptyState>
    );
  }
  const toAnswer = items.filter(illnessCan.answer);
  const others = items.filter((one) => !illnessCan.answer(one));
  return (
    <Stack gap={20}>
      {toAnswer.length > 0 && (
        <Section title="Certificats à vérifier">
          <ul className={styles.people}>
            {toAnswer.map((one) => (
              <Line key={one.id} canteen={canteen} one={one} />
            ))}
          </ul>
        </Section>
      )}
      {others.length > 0 && (
        <Section title="Absences signalées">
          <ul className={styles.people}>
            {others.map((one) => (
              <Line key={one.id} canteen={canteen} one={one} />
            ))}
          </ul>
        </Section>
      )}
    </Stack>
  );
}

function Line({ canteen, one }: { canteen: OwnCanteen; one: DeskIllness }) {
  const [refusing, setRefusing] = useState(false);
  const accept = useAction(
    () =>
      call(api.canteen.answerCertificate, {
        canteen: canteen.id,
        illness: one.id,
        accept: true,
        reason: "",
      }),
    { onDone: notifyMessage },
  );
  return (
    <li>
      <span className={styles.personWords}>
        <strong>{one.name}</strong>
        <Text as="span" tone="soft" size="fine">
          {[one.className, illnessDays(one), plural(one.meals, "repas annulé", "repas annulés")]
            .filter(Boolean)
            .join(" · ")}
        </Text>
        <Text as="span" tone="soft" size="fine">
          {illnessMoney(one)}
        </Text>
        {one.sentAt && illnessCan.answer(one) && (
          <Text as="span" tone="soft" size="fine">
            Certificat envoyé le {formatDate(one.sentAt)}
          </Text>
        )}
        {illnessCan.prove(one) && one.certificateUntil && (
          <Text as="span" tone="soft" size="fine">
            Certificat attendu avant le {formatDate(one.certificateUntil)}
          </Text>
        )}
        {one.documents.map((file) => (
          <DownloadButton
            key={file.id}
            row={api.documents.read}
            input={{ id: file.id }}
            failed="Le fichier n’a pas pu être téléchargé."
            kind="ghost"
            size="small"
            icon="download"
          >
            {file.name}
          </DownloadButton>
        ))}
      </span>
      <Badge tone={illnessTones[one.state]}>{illnessStateNames[one.state]}</Badge>
      {illnessCan.answer(one) && (
        <>
          <Button
            size="small"
            icon="check"
            loading={accept.isPending}
            onClick={() => accept.send()}
          >
            Accepter<span className="unseen"> le certificat {ofName(one.name)}</span>
          </Button>
          <Button
            size="small"
            kind="ghost"
            aria-haspopup="dialog"
            onClick={() => setRefusing(true)}
          >
            Refuser<span className="unseen"> le certificat {ofName(one.name)}</span>
          </Button>
        </>
      )}
      <ProblemBanner problem={accept.problem} />
      <Dialog
        open={refusing}
        onClose={() => setRefusing(false)}
        title={`Refuser le certificat ${ofName(one.name)}`}
      >
        {refusing && (
          <RefusalForm
            submit="Refuser le certificat"
            refuse={(reason) =>
              call(api.canteen.answerCertificate, {
                canteen: canteen.id,
                illness: one.id,
                accept: false,
                reason,
              })
            }
            onClose={() => setRefusing(false)}
          >
            <p>
              La famille pourra en envoyer un autre. Sans certificat accepté,{" "}
              {formatMoney(one.proofCents)} restent dus.
            </p>
          </RefusalForm>
        )}
      </Dialog>
    </li>
  );
}
