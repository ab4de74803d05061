// The passes of a card in a few lines, each leading to its own: for the bus, the family, the dashboard.
import { useQueries } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Pass } from "#contract/passes/rows.ts";
import { firstName } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { answerOptions } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useTitleRefresh } from "#web/app/shared/use-title-refresh.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { LinkRow } from "#web/ui/link-row.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./passes.module.css";
import { canPresent, passBadge, passPath, waitForCardOf, whenOf } from "./pass-labels.ts";

/**
 * Valid and future passes of some cards, each to open or to print. Where there is none, `offer` leads to the
 * lines, without it a line of text says so.
 */
export function PassList({ cards, offer = true }: { cards: readonly number[]; offer?: boolean }) {
  const answers = useQueries({
    queries: cards.map((cardnumber) => answerOptions(api.passes.list, { cardnumber })),
  });
  useTitleRefresh(answers[0]?.data?.items);
  const missing = answers.find(({ isPending }) => isPending) ?? answers.find(({ data }) => !data);
  if (missing) {
    return (
      <NotLoaded
        answer={missing}
        label="Chargement des titres de transport…"
        lines={2}
        height="4.5rem"
        failed="Les titres de transport n’ont pas pu être chargés."
      />
    );
  }
  const items = answers
    .flatMap(({ data }) => data?.items ?? [])
    .filter(({ state }) => state !== "expired");
  if (items.length === 0 && !offer) {
    return (
      <Text tone="soft" size="fine">
        Aucun titre de transport en cours. Les titres achetés pour cette carte seront ici, avec leur
        QR code.
      </Text>
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState
        icon="bus"
        title="Aucun titre de transport en cours"
        action={<ButtonLink href={paths.lines}>Voir les lignes</ButtonLink>}
      >
        Les tickets et abonnements de cette carte seront ici, avec leur QR code.
      </EmptyState>
    );
  }
  const several = cards.length > 1 && items.filter(canPresent).length > 1;
  return (
    <>
      <DividedList gap={4}>
        {items.map((pass) => (
          <li key={pass.id}>
            <PassLine pass={pass} named={cards.length > 1} />
          </li>
        ))}
      </DividedList>
      {several && (
        <DownloadButton
          row={api.passes.printAll}
          input={{}}
          failed="Les titres n’ont pas pu être préparés."
        >
          Imprimer tous les titres
        </DownloadButton>
      )}
    </>
  );
}

/** `named` says whose it is, where several people's stand together. */
function PassLine({ pass, named }: { pass: Pass; named: boolean }) {
  const wait = waitForCardOf(pass);
  const badge = passBadge(pass);
  const rests = wait !== null || pass.state === "suspended";
  return (
    <div className={styles.passLine}>
      <LinkRow
        href={passPath(pass)}
        picture={<IconTile icon={rests ? "pause" : "bus"} tone={rests ? "warning" : "info"} />}
      >
        <span className={styles.passWords}>
          <Text as="span" weight="strong" breakWord>
            {pass.name}
            {named && `, ${firstName(pass.holder)}`}
          </Text>
          <Text as="span" tone="soft" size="fine" numeric>
            {pass.groupName}
          </Text>
          <Text as="span" tone="soft" size="fine" numeric>
            {wait?.back ?? whenOf(pass)}
          </Text>
        </span>
        <Badge tone={badge.tone}>{badge.text}</Badge>
      </LinkRow>
      {canPresent(pass) && (
        <DownloadButton
          row={api.passes.print}
          input={{ pass: pass.id }}
          failed="Le titre n’a pas pu être préparé."
          size="small"
          kind="ghost"
        >
          Imprimer
          <span className="unseen">
            {" "}
            {pass.name}, {pass.holder}
          </span>
        </DownloadButton>
      )}
    </div>
  );
}
