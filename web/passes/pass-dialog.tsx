// A pass: its QR, how long it rides, and what may be done with it.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Pass } from "#contract/passes.ts";
import { passCan, passStateNames } from "#contract/pass-states.ts";
import { answerOptions } from "#web/app/answers.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { EmptyState, ErrorState } from "#web/ui/state.tsx";
import { LateFee } from "./late-fee.tsx";
import { PassActs } from "./pass-acts.tsx";
import { PassQr, PassQrWait } from "./pass-qr.tsx";
import { toneOf, whenOf } from "./words.ts";

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
      {pass && <Shown pass={pass} onShow={onShow} />}
      {!pass && answer.isPending && <PassQrWait />}
      {!pass && answer.isError && <Missing problem={answer.error} onRetry={answer.refetch} />}
    </Dialog>
  );
}

function Missing({
  problem,
  onRetry,
}: {
  problem: Error & { definite?: boolean };
  onRetry: () => unknown;
}) {
  if (problem.definite) {
    return (
      <EmptyState icon="search" title="Nous ne trouvons pas ce titre">
        Il a peut-être été remplacé, ou c’est celui d’une autre carte.
      </EmptyState>
    );
  }
  return (
    <ErrorState
      title="Ce titre n’a pas pu être chargé."
      message={problem.message}
      onRetry={() => void onRetry()}
    />
  );
}

function Shown({ pass, onShow }: { pass: Pass; onShow: (id: string) => void }) {
  const { holder, groupName, stop, state, validFrom, lastDay, kind } = pass;
  return (
    <div className="pass-shown">
      {passCan.show(pass) && <PassQr id={pass.id} />}
      {state === "suspended" && (
        <Banner tone="warning" title="Ce titre est suspendu.">
          Il ne permet pas de voyager. Les jours de pause sont ajoutés à la fin.
        </Banner>
      )}
      {state === "replaced" && (
        <Banner tone="warning" title="Ce titre est remplacé.">
          Son QR code est refusé à bord. Présentez celui du duplicata.
        </Banner>
      )}
      <p className="pass-when">
        <strong>{whenOf(pass)}</strong>
        <Badge tone={toneOf[state]}>{passStateNames[state]}</Badge>
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
          pass.suspension
            ? { label: "Jours de pause restants", value: String(pass.suspension.leftDays) }
            : null,
        ]}
      />
      {pass.late && <LateFee late={pass.late} />}
      <PassActs pass={pass} onShow={onShow} />
    </div>
  );
}
