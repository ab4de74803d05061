// The passes of a card in a few lines, each leading to its own: for the bus, the family, the dashboard.
import { api } from "#contract/api.ts";
import type { Pass } from "#contract/passes.ts";
import { passStateNames } from "#contract/pass-states.ts";
import { useAnswer } from "#web/app/answers.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import "./passes.css";
import { passPath, toneOf, whenOf } from "./words.ts";

/**
 * Passes that ride or will; `over` also shows those that are over. Where there is none, `offer` leads
 * to the lines, without it a line of text says so.
 */
export function PassList({
  cardnumber,
  over = false,
  offer = true,
}: {
  cardnumber: number;
  over?: boolean;
  offer?: boolean;
}) {
  const answer = useAnswer(api.passes.list, { cardnumber });
  if (answer.isPending) {
    return (
      <Loading label="Chargement des titres de transport…">
        <Skeleton lines={2} height="4.5rem" />
      </Loading>
    );
  }
  if (answer.isError) {
    return (
      <ErrorState
        title="Les titres de transport n’ont pas pu être chargés."
        message={answer.error.message}
        retrying={answer.isFetching}
        onRetry={() => void answer.refetch()}
      />
    );
  }
  const items = answer.data.items.filter(({ state }) => over || state !== "expired");
  if (items.length === 0 && !offer) {
    return (
      <p className="passes-none">
        Aucun titre de transport en cours. Les titres achetés pour cette carte seront ici, avec leur
        QR code.
      </p>
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState
        icon="bus"
        title="Aucun titre de transport en cours"
        action={<ButtonLink href="/Abonnement/ligne">Voir les lignes</ButtonLink>}
      >
        Les tickets et abonnements de cette carte seront ici, avec leur QR code.
      </EmptyState>
    );
  }
  return (
    <ul className="passes">
      {items.map((pass) => (
        <li key={pass.id}>
          <PassLine pass={pass} />
        </li>
      ))}
    </ul>
  );
}

function PassLine({ pass }: { pass: Pass }) {
  return (
    <Link className="pass-line" href={passPath(pass)} data-state={pass.state}>
      <span className="pass-mark">
        <Icon name={pass.state === "suspended" ? "pause" : "bus"} />
      </span>
      <span className="pass-body">
        <span className="pass-words">
          <span className="pass-name">{pass.name}</span>
          <span className="pass-about">{pass.groupName}</span>
          <span className="pass-about">{whenOf(pass)}</span>
        </span>
        <Badge tone={toneOf[pass.state]}>{passStateNames[pass.state]}</Badge>
      </span>
      <Icon name="right" size={20} />
    </Link>
  );
}
