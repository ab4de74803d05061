// The proofs of one person: what waits or counts, then what is over, folded away.
import { api } from "#contract/api.ts";
import type { Proof, ProofState } from "#contract/entitlements/rows.ts";
import { answerDelay } from "#contract/answer-delay.ts";
import { formatDate } from "#contract/french.ts";
import { proofNames } from "#contract/entitlements/words.ts";
import { call } from "#web/app/transport/api.ts";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { placed } from "#web/app/shared/place.ts";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { notify } from "#web/ui/toast.tsx";
import { proofStateNames } from "./proof-words.ts";
import styles from "./rights.module.css";

const tones: Readonly<Record<ProofState, "info" | "success" | "danger" | "warning" | "neutral">> = {
  waiting: "info",
  validated: "success",
  refused: "danger",
  expired: "warning",
  replaced: "neutral",
};

/** The proofs to show: of each kind those that wait or count, and the last one when there is neither. */
export function currentOf(proofs: readonly Proof[]): Proof[] {
  return proofs.filter((one) => {
    if (one.state === "waiting" || one.state === "validated") return true;
    return one === proofs.find(({ kind }) => kind === one.kind);
  });
}

/** Whether its sender is asked for another one. */
export const asksAnother = ({ renew, state, sentByMe }: Proof): boolean =>
  renew || (sentByMe && state === "refused");

interface Props {
  proofs: readonly Proof[];
  /** Shown elsewhere already: it counts, and is not listed. */
  besides?: Proof | undefined;
  /** Opens the form for a proof of the same kind. */
  onRenew?: ((proof: Proof) => void) | undefined;
}

export function RightsList({ proofs, besides, onRenew }: Props) {
  const heads = currentOf(proofs);
  const over = proofs.filter((one) => !heads.includes(one));
  const current = heads.filter((one) => one !== besides);
  return (
    <>
      {current.length > 0 && (
        <DividedList>
          {current.map((one) => (
            <li key={one.id}>
              <Line proof={one} onRenew={onRenew} />
            </li>
          ))}
        </DividedList>
      )}
      {over.length > 0 && (
        <details className={styles.rightsOver}>
          <summary>Historique ({over.length})</summary>
          <DividedList>
            {over.map((one) => (
              <li key={one.id}>
                <Line proof={one} />
              </li>
            ))}
          </DividedList>
        </details>
      )}
    </>
  );
}

/** When it was sent and until when it counts. */
function about({ state, sentAt, validUntil, sentByMe }: Proof): string {
  const sent = `Envoyé le ${formatDate(sentAt)}${sentByMe ? "" : " par l’autre responsable"}`;
  if (state === "validated") {
    return validUntil
      ? `Valable jusqu’au ${formatDate(validUntil)}`
      : "Valable sans limite de durée";
  }
  if (state === "expired") return `A compté jusqu’au ${formatDate(validUntil ?? sentAt)}`;
  return sent;
}

function Line({ proof, onRenew }: { proof: Proof; onRenew?: Props["onRenew"] }) {
  const { id, kind, state, reason, sentByMe, documents } = proof;
  const name = proofNames[kind];
  const withdraw = useAction(() => call(api.entitlements.withdraw, { id }), {
    says: ({ message }) => message,
  });
  const again = onRenew && asksAnother(proof);
  return (
    <div
      className={styles.right}
      {...(again && placed("proof", id, `Justificatif\u202f: ${name}`))}
    >
      <div className={styles.rightWords}>
        <Text weight="strong" breakWord>
          {name}
          {proof.quotient !== null && ` : ${proof.quotient}`}
        </Text>
        <Text tone="soft" size="fine">
          {about(proof)}
        </Text>
        {state === "waiting" && (
          <Text tone="soft" size="fine">
            <AnswerDelay what="proof" requestedAt={proof.sentAt} />
          </Text>
        )}
        {reason && <p className={styles.rightReason}>Motif : {reason}</p>}
        {state === "refused" && again && (
          <Text tone="soft" size="fine">
            Envoyez-en un autre&#8239;: vous recevrez une réponse {answerDelay("proof")}.
          </Text>
        )}
        {documents.length > 0 && (
          <ul className={styles.rightFiles}>
            {documents.map((file) => (
              <li key={file.id}>
                <FileButton file={file} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Row gap={8}>
        <Badge tone={proof.renew ? "warning" : tones[state]}>
          {proof.renew && state === "validated" ? "À renouveler" : proofStateNames[state]}
        </Badge>
        {state === "waiting" && sentByMe && (
          <Button size="small" loading={withdraw.isPending} onClick={() => withdraw.send()}>
            Retirer
            <span className="unseen"> le justificatif {name}</span>
          </Button>
        )}
        {again && (
          <Button size="small" aria-haspopup="dialog" onClick={() => onRenew(proof)}>
            {proof.renew ? "Renouveler" : "En envoyer un autre"}
            <span className="unseen"> : {name}</span>
          </Button>
        )}
      </Row>
      <ProblemBanner problem={withdraw.problem} title="Le justificatif n’a pas été retiré." />
    </div>
  );
}

/** Only its sender has the file's name, and may look at it again. */
function FileButton({ file }: { file: Proof["documents"][number] }) {
  const fetched = useAction(() => call(api.documents.read, { id: file.id }), {
    onDone: save,
    onRefused: ({ message }) => notify({ text: message, kind: "error" }),
  });
  return (
    <Button
      kind="ghost"
      size="small"
      icon="download"
      loading={fetched.isPending}
      onClick={() => fetched.send()}
    >
      {file.name}
    </Button>
  );
}
