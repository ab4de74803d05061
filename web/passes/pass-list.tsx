// The passes of a card in a few lines, each leading to its own: for the bus, the family, the dashboard.
import { api } from "#contract/api.ts";
import type { Pass } from "#contract/passes/rows.ts";
import { passStateNames } from "#contract/passes/states.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useKeptTitles } from "#web/app/use-kept-titles.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { LinkRow, LinkRows } from "#web/ui/link-row.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./passes.module.css";
import { passPath, passTones, whenOf } from "./pass-labels.ts";

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
  useKeptTitles(answer.data?.items);
  if (answer.isPending) {
    return (
      <Loading label="Chargement des titres de transport…">
        <Skeleton lines={2} height="4.5rem" />
      </Loading>
    );
  }
  if (answer.isError) {
    return (
      <ErrorState title="Les titres de transport n’ont pas pu être chargés." answer={answer} />
    );
  }
  const items = answer.data.items.filter(({ state }) => over || state !== "expired");
  if (items.length === 0 && !offer) {
    return (
      <p className={styles.passesNone}>
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
    <LinkRows>
      {items.map((pass) => (
        <li key={pass.id}>
          <PassLine pass={pass} />
        </li>
      ))}
    </LinkRows>
  );
}

function PassLine({ pass }: { pass: Pass }) {
  return (
    <LinkRow
      href={passPath(pass)}
      picture={
        <IconTile
          icon={pass.state === "suspended" ? "pause" : "bus"}
          tone={pass.state === "suspended" ? "warning" : "info"}
        />
      }
    >
      <span className={styles.passWords}>
        <span className={styles.passName}>{pass.name}</span>
        <span className={styles.passAbout}>{pass.groupName}</span>
        <span className={styles.passAbout}>{whenOf(pass)}</span>
      </span>
      <Badge tone={passTones[pass.state]}>{passStateNames[pass.state]}</Badge>
    </LinkRow>
  );
}
