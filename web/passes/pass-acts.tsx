// Suspending, resuming, having a pass made again: each asks before it acts.
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney, plural } from "#contract/french.ts";
import type { Pass } from "#contract/passes.ts";
import { passCan } from "#contract/pass-states.ts";
import { queryClient, keyOf, readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { once } from "#web/app/intent.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { PayWith, usePurses } from "./purses.tsx";

type Act = "suspend" | "resume" | "duplicate";

export function PassActs({ pass, onShow }: { pass: Pass; onShow: (id: string) => void }) {
  const [asked, setAsked] = useState<Act | null>(null);
  const [wallet, setWallet] = useState<string | null>(null);
  const act = useMutation<Pass, ApiProblem, Act>({
    mutationFn: (name) => perform(name, pass, wallet),
    onSuccess: async (next) => {
      queryClient.setQueryData(keyOf(api.passes.one, { pass: next.id }), next);
      setAsked(null);
      onShow(next.id);
      await readAgain(api.passes.list, api.passes.qr, api.passes.one, ...Object.values(api.wallet));
    },
  });
  const close = () => {
    act.reset();
    setAsked(null);
  };
  if (asked) {
    return (
      <Question pass={pass} act={asked} wallet={wallet} onWallet={setWallet}>
        {act.error && (
          <Banner tone="danger" alert title="Rien n’a changé.">
            {act.error.message}
          </Banner>
        )}
        <div className="pass-acts">
          <Button
            kind="primary"
            loading={act.isPending}
            disabled={asked === "duplicate" && pass.duplicateCents > 0 && wallet === null}
            onClick={() => act.mutate(asked)}
          >
            {confirmOf(asked, pass)}
          </Button>
          <Button kind="ghost" disabled={act.isPending} onClick={close}>
            Annuler
          </Button>
        </div>
      </Question>
    );
  }
  const rests = pass.suspension !== null && pass.suspension.leftDays > 0;
  return (
    <div className="pass-acts">
      {passCan.suspend(pass) && rests && (
        <Button icon="pause" onClick={() => setAsked("suspend")}>
          Suspendre
        </Button>
      )}
      {passCan.resume(pass) && (
        <Button kind="primary" icon="play" onClick={() => setAsked("resume")}>
          Reprendre
        </Button>
      )}
      {passCan.duplicate(pass) && pass.kind !== "single" && pass.kind !== "day" && (
        <Button kind="ghost" icon="swap" onClick={() => setAsked("duplicate")}>
          Perdu&#8239;? Demander un duplicata
        </Button>
      )}
    </div>
  );
}

async function perform(name: Act, pass: Pass, wallet: string | null): Promise<Pass> {
  const { id } = pass;
  if (name === "suspend") return await call(api.passes.suspend, { pass: id });
  if (name === "resume") return await call(api.passes.resume, { pass: id });
  const wanted = {
    pass: id,
    feeCents: pass.duplicateCents,
    ...(wallet !== null && pass.duplicateCents > 0 && { wallet }),
  };
  return await once(`pass-duplicate.${id}`, wanted, (key) =>
    call(api.passes.duplicate, wanted, { key }),
  );
}

function confirmOf(act: Act, { duplicateCents }: Pass): string {
  if (act === "suspend") return "Suspendre dès aujourd’hui";
  if (act === "resume") return "Reprendre maintenant";
  return duplicateCents > 0
    ? `Payer ${formatMoney(duplicateCents)} et remplacer`
    : "Remplacer gratuitement";
}

function Question({
  pass,
  act,
  wallet,
  onWallet,
  children,
}: {
  pass: Pass;
  act: Act;
  wallet: string | null;
  onWallet: (objectID: string) => void;
  children: ReactNode;
}) {
  const purses = usePurses(pass.idgroup, pass);
  const fee = act === "duplicate" && pass.duplicateCents > 0;
  return (
    <section className="pass-question">
      <h3 ref={focusFirst} tabIndex={-1}>
        {titleOf(act)}
      </h3>
      <p>{leadOf(act, pass)}</p>
      {fee && <PayWith purses={purses} value={wallet} onValue={onWallet} />}
      {children}
    </section>
  );
}

/** The button that was pressed is gone: the question takes the focus. */
const focusFirst = (heading: HTMLElement | null): void => heading?.focus();

function titleOf(act: Act): string {
  if (act === "suspend") return "Suspendre ce titre\u202f?";
  return act === "resume" ? "Reprendre ce titre\u202f?" : "Demander un duplicata\u202f?";
}

function leadOf(act: Act, { suspension, duplicateCents }: Pass): string {
  if (act === "suspend") {
    const days = plural(suspension?.leftDays ?? 0, "jour");
    return `Il ne permettra plus de voyager jusqu’à ce que vous le repreniez, au plus tard dans ${days}. Chaque jour de pause est ajouté à la fin.`;
  }
  if (act === "resume") return "Les jours de pause sont ajoutés à la date de fin.";
  const price =
    duplicateCents === 0 ? "Ce duplicata est gratuit." : `Il coûte ${formatMoney(duplicateCents)}.`;
  return `L’ancien QR code sera refusé à bord, le nouveau garde ce qui reste du titre. ${price}`;
}
