// A pass: its QR code, its validity, and suspending, resuming or replacing it after a confirmation.
import styles from "./passes.module.css";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Pass } from "#contract/passes/rows.ts";
import { passCan, passWaitsForCard } from "#contract/passes/states.ts";
import { answerOptions, queryClient, keyOf } from "#web/app/transport/answers.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useMinor } from "#web/cards/use-minor.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { LateFee } from "./late-fee.tsx";
import { PassQr, passQrWait } from "./pass-qr.tsx";
import { passBadge, waitForCardOf, whenOf } from "./pass-labels.ts";
import { useState } from "react";
import { formatMoney, plural } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { once } from "#web/app/transport/intent.ts";
import { withCode } from "#web/app/transport/step-up.ts";
import { PaymentChoice } from "#web/checkout/payment-choice.tsx";
import { chosenOption, paymentOptions } from "#web/checkout/payment-options.ts";
import { useWalletBalances } from "#web/checkout/wallet-balances.ts";
import { Button } from "#web/ui/button.tsx";

/** `id` null is closed. `onShow` goes on with another pass: the duplicate of this one. */
export function PassDialog({
  id,
  onClose,
  onShow,
}: {
  id: string | null;
  onClose: () => void;
  onShow: (id: string) => void;
}) {
  const answer = useQuery({
    ...answerOptions(api.passes.one, { pass: id ?? "" }),
    enabled: id !== null,
  });
  const pass = answer.data?.id === id ? answer.data : null;
  return (
    <Dialog open={id !== null} onClose={onClose} title={pass?.name ?? "Titre de transport"}>
      {pass ? <PassDetails pass={pass} onShow={onShow} /> : <PassNotRead answer={answer} />}
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
  return (
    <div className={styles.passShown}>
      {wait && (
        <Banner tone="warning" title={wait.title}>
          Ce titre ne permet pas de voyager pour l’instant. {wait.back}
        </Banner>
      )}
      {passCan.show(pass) && !wait && <PassQr id={pass.id} />}
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
      <p className={styles.passWhen}>
        {!wait && <strong>{whenOf(pass)}</strong>}
        <Badge tone={badge.tone}>{badge.text}</Badge>
      </p>
      <DefinitionList
        items={[
          { label: "Voyageur", value: holder },
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
          pass.employer
            ? {
                label: `Payé par ${pass.employer.name}`,
                value: `${formatMoney(pass.employer.cents)}, vous\u202f: ${formatMoney(pass.employer.ownCents)}`,
              }
            : null,
          pass.suspension
            ? { label: "Jours de pause restants", value: String(pass.suspension.leftDays) }
            : null,
        ]}
      />
      {pass.late && <LateFee late={pass.late} />}
      <PassActions pass={pass} minor={minor} onShow={onShow} />
    </div>
  );
}

type PassAction = "suspend" | "resume" | "duplicate";

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
      <Confirmation
        pass={pass}
        act={action}
        minor={minor === true}
        busy={act.isPending}
        problem={act.problem}
        onConfirm={(wallet) => act.send({ name: action, wallet })}
        onClose={close}
      />
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

function confirmOf(act: PassAction, { duplicateCents }: Pass): string {
  if (act === "suspend") return "Suspendre dès aujourd’hui";
  if (act === "resume") return "Reprendre maintenant";
  return duplicateCents > 0
    ? `Payer ${formatMoney(duplicateCents)} et remplacer`
    : "Remplacer gratuitement";
}

function Confirmation({
  pass,
  act,
  minor,
  busy,
  problem,
  onConfirm,
  onClose,
}: {
  pass: Pass;
  act: PassAction;
  minor: boolean;
  busy: boolean;
  problem: ApiProblem | null;
  /** With the wallet that pays the fee; null where there is none. */
  onConfirm: (wallet: string | null) => void;
  onClose: () => void;
}) {
  const { idgroup, cardnumber, duplicateCents: totalCents } = pass;
  const [picked, setPicked] = useState<string | null>(null);
  const purchase = { totalCents, idgroup, cardnumbers: [cardnumber] };
  const { balancesOf } = useWalletBalances(purchase);
  const fee = act === "duplicate" && totalCents > 0;
  const offered = fee && balancesOf ? paymentOptions(balancesOf, purchase, "none") : null;
  const chosen = offered && chosenOption(offered, picked);
  return (
    <section className={styles.passQuestion}>
      <h3 ref={focusFirst} tabIndex={-1}>
        {titleOf(act)}
      </h3>
      <p>{leadOf(act, pass, minor)}</p>
      {offered && <PaymentChoice {...offered} chosen={chosen} onValue={setPicked} />}
      <ProblemBanner problem={problem} title="Rien n’a changé." />
      <Actions gap={8}>
        <Button
          kind="primary"
          loading={busy}
          disabled={fee && chosen === null}
          onClick={() => onConfirm(chosen?.request.objectID ?? null)}
        >
          {confirmOf(act, pass)}
        </Button>
        <Button kind="ghost" disabled={busy} onClick={onClose}>
          Annuler
        </Button>
      </Actions>
    </section>
  );
}

/** The button that was pressed is gone: the question takes the focus. */
const focusFirst = (heading: HTMLElement | null): void => heading?.focus();

function titleOf(act: PassAction): string {
  if (act === "suspend") return "Suspendre ce titre\u202f?";
  return act === "resume" ? "Reprendre ce titre\u202f?" : "Demander un duplicata\u202f?";
}

function leadOf(act: PassAction, { suspension, duplicateCents }: Pass, minor: boolean): string {
  if (act === "suspend") {
    const days = plural(suspension?.leftDays ?? 0, "jour");
    if (minor) {
      return `Il ne permettra plus de voyager. Seul un de vos responsables pourra le reprendre\u202f; sinon il reprend de lui-même dans ${days}. Chaque jour de pause est ajouté à la fin.`;
    }
    return `Il ne permettra plus de voyager jusqu’à ce que vous le repreniez, au plus tard dans ${days}. Chaque jour de pause est ajouté à la fin.`;
  }
  if (act === "resume") return "Les jours de pause sont ajoutés à la date de fin.";
  const price =
    duplicateCents === 0 ? "Ce duplicata est gratuit." : `Il coûte ${formatMoney(duplicateCents)}.`;
  return `L’ancien QR code sera refusé à bord, le nouveau garde ce qui reste du titre. ${price}`;
}
