// A pass: its paper with the code, and suspending, resuming or replacing it after a confirmation.
import styles from "./passes.module.css";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Pass } from "#contract/passes/rows.ts";
import { passCan, passWaitsForCard } from "#contract/passes/states.ts";
import { answerOptions, queryClient, keyOf } from "#web/app/transport/answers.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useMinor } from "#web/cards/use-minor.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { OneByOne } from "#web/ui/one-by-one.tsx";
import { PaperTicket } from "#web/ui/paper-ticket.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import type { PassAction } from "./pass-confirmation.tsx";
import { LateFee } from "./late-fee.tsx";
import { PassQr, passQrWait } from "./pass-qr.tsx";
import { canPresent, passBadge, waitForCardOf, whenOf } from "./pass-labels.ts";
import { lazy, Suspense, useState } from "react";
import { formatMoney } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { once } from "#web/app/transport/intent.ts";
import { withCode } from "#web/app/transport/step-up.ts";
import { Button } from "#web/ui/button.tsx";

// Loaded when something is to be confirmed: what it costs may be paid there.
const Confirmation = lazy(async () => ({
  default: (await import("./pass-confirmation.tsx")).Confirmation,
}));

/** `id` null is closed. `onShow` goes on with another pass: of the family, or the duplicate of this one. */
export function PassDialog({
  id,
  among,
  onClose,
  onShow,
}: {
  id: string | null;
  /** Those of the family that can be presented, the next to be used first. */
  among: readonly Pass[];
  onClose: () => void;
  onShow: (id: string) => void;
}) {
  const answer = useQuery({
    ...answerOptions(api.passes.one, { pass: id ?? "" }),
    enabled: id !== null,
  });
  const index = among.findIndex((one) => one.id === id);
  const pass = answer.data?.id === id ? answer.data : (among[index] ?? null);
  return (
    <Dialog open={id !== null} onClose={onClose} title={pass?.name ?? "Titre de transport"}>
      {pass ? (
        <OneByOne
          name="Titre"
          where={`Titre ${index + 1} sur ${among.length}`}
          about={`${pass.name}, ${pass.holder}`}
          count={among.length}
          index={index}
          onIndex={(next) => onShow(among[next]?.id ?? pass.id)}
        >
          <PassDetails key={pass.id} pass={pass} onShow={onShow} />
        </OneByOne>
      ) : (
        <PassNotRead answer={answer} />
      )}
    </Dialog>
  );
}

function PassNotRead({ answer }: { answer: UseQueryResult<Pass, ApiProblem> }) {
  if (answer.error?.definite) {
    return (
      <EmptyState icon="search" title="Nous ne trouvons pas ce titre">
        Il a peut-être été remplacé, ou c’est celui d’une autre carte.
      </EmptyState>
    );
  }
  return <NotLoaded answer={answer} {...passQrWait} failed="Ce titre n’a pas pu être chargé." />;
}

function PassDetails({ pass, onShow }: { pass: Pass; onShow: (id: string) => void }) {
  const { holder, groupName, stop, state, validFrom, lastDay, kind } = pass;
  const minor = useMinor();
  const wait = waitForCardOf(pass);
  const badge = passBadge(pass);
  const facts = [
    { label: "Lignes", value: groupName },
    stop ? { label: "Arrêt de montée", value: stop } : null,
    kind === "single"
      ? { label: "Acheté le", value: <DateText at={validFrom} time /> }
      : {
          label: "Validité",
          value: (
            <>
              <DateText at={validFrom} /> – <DateText at={lastDay} />
            </>
          ),
        },
  ];
  const employer = pass.employer && {
    label: `Payé par ${pass.employer.name}`,
    value: `${formatMoney(pass.employer.cents)}, vous\u202f: ${formatMoney(pass.employer.ownCents)}`,
  };
  const rests = pass.suspension && {
    label: "Jours de pause restants",
    value: String(pass.suspension.leftDays),
  };
  const badgeShown = <Badge tone={badge.tone}>{badge.text}</Badge>;
  return (
    <div className={styles.passShown}>
      {wait && (
        <Banner tone="warning" title={wait.title}>
          Ce titre ne permet pas de voyager pour l’instant. {wait.back}
        </Banner>
      )}
      {state === "suspended" && (
        <Banner tone="warning" title="Ce titre est suspendu.">
          {minor
            ? "Il ne permet pas de voyager. Un de vos responsables peut le reprendre. Les jours de pause sont ajoutés à la fin."
            : "Il ne permet pas de voyager. Les jours de pause sont ajoutés à la fin."}
        </Banner>
      )}
      {state === "replaced" && (
        <Banner tone="warning" title="Ce titre est remplacé.">
          Son QR code est refusé à bord. Présentez celui du duplicata.
        </Banner>
      )}
      {canPresent(pass) ? (
        <>
          <PaperTicket
            cardnumber={pass.cardnumber}
            kind="Titre de transport"
            holder={holder}
            code={<PassQr id={pass.id} holder={holder} when={whenOf(pass)} />}
            when={
              <span className={styles.passWhen}>
                {whenOf(pass)} {badgeShown}
              </span>
            }
          >
            <DefinitionList items={facts} />
          </PaperTicket>
          {(employer ?? rests) && <DefinitionList items={[employer, rests]} />}
        </>
      ) : (
        <>
          <p className={styles.passWhen}>
            {!wait && <strong>{whenOf(pass)}</strong>}
            {badgeShown}
          </p>
          <DefinitionList
            items={[{ label: "Voyageur", value: holder }, ...facts, employer, rests]}
          />
        </>
      )}
      {pass.late && <LateFee late={pass.late} />}
      <PassActions pass={pass} minor={minor} onShow={onShow} />
    </div>
  );
}

function PassActions({
  pass,
  minor,
  onShow,
}: {
  pass: Pass;
  /** What the person suspends, a guardian resumes; null while that is not known. */
  minor: boolean | null;
  onShow: (id: string) => void;
}) {
  const [action, setAction] = useState<PassAction | null>(null);
  const act = useAction(
    ({ name, wallet }: { name: PassAction; wallet: string | null }) => perform(name, pass, wallet),
    {
      onDone: (next) => {
        queryClient.setQueryData(keyOf(api.passes.one, { pass: next.id }), next);
        setAction(null);
        onShow(next.id);
      },
    },
  );
  const close = () => {
    act.reset();
    setAction(null);
  };
  if (action) {
    return (
      <Suspense fallback={<Skeleton lines={3} height="2.75rem" />}>
        <Confirmation
          pass={pass}
          act={action}
          minor={minor === true}
          busy={act.isPending}
          problem={act.problem}
          onConfirm={(wallet) => act.send({ name: action, wallet })}
          onClose={close}
        />
      </Suspense>
    );
  }
  const rests = pass.suspension !== null && pass.suspension.leftDays > 0;
  return (
    <Actions gap={8}>
      {passCan.suspend(pass) && rests && (
        <Button icon="pause" onClick={() => setAction("suspend")}>
          Suspendre
        </Button>
      )}
      {passCan.resume(pass) && minor === false && (
        <Button kind="primary" icon="play" onClick={() => setAction("resume")}>
          Reprendre
        </Button>
      )}
      {passCan.duplicate(pass) &&
        !passWaitsForCard(pass) &&
        pass.kind !== "single" &&
        pass.kind !== "day" && (
          <Button kind="ghost" icon="swap" onClick={() => setAction("duplicate")}>
            Perdu&#8239;? Demander un duplicata
          </Button>
        )}
    </Actions>
  );
}

async function perform(name: PassAction, pass: Pass, wallet: string | null): Promise<Pass> {
  const { id } = pass;
  if (name === "suspend") return await call(api.passes.suspend, { pass: id });
  if (name === "resume") return await call(api.passes.resume, { pass: id });
  const input = {
    pass: id,
    feeCents: pass.duplicateCents,
    ...(wallet !== null && pass.duplicateCents > 0 && { wallet }),
  };
  return await once(`pass-duplicate.${id}`, input, (key) =>
    withCode((proof) => call(api.passes.duplicate, { ...input, ...proof }, { key })),
  );
}
