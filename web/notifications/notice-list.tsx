// The notices of a person, newest first, by server pages: read one by one or all at once, the same ones
// grouped, a login from a new device answered in place.
import { api } from "#contract/api.ts";
import { formatTime, plural, spokenDay } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { useFocusAfterRemoval } from "#web/ui/focus.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { groupNotices, type NoticeGroup } from "./group.ts";
import styles from "./notice-list.module.css";

const icons: Readonly<Record<string, IconName>> = {
  security: "shield",
  card: "card",
  family: "people",
  rights: "document",
  top_up: "plus",
  transfer: "incoming",
  money_request: "wallet",
  grant: "gift",
  expiry: "clock",
  funding: "refresh",
  pass: "bus",
  subscription: "calendar",
  membership: "document",
  ticket: "ticket",
  meal: "meal",
  purchase: "wallet",
  invoice: "document",
  partnership: "swap",
  contact: "mail",
  privacy: "lock",
};

/** `onLeave` is called when a notice leads to another screen. */
export function NoticeList({ onLeave }: { onLeave: () => void }) {
  // What is open is what is true now: the bell's own list may be a minute old.
  const list = usePages(api.notifications.list, {}, { by: "before", staleMs: 0 });
  const read = useAction((ids: number[]) => call(api.notifications.read, { ids }));
  const readAll = useAction((upTo: number) => call(api.notifications.readAll, { upTo }));
  const groups = groupNotices(list.items);
  const alerts = useAnswer(
    api.identity.alerts,
    {},
    { enabled: groups.some(({ notice }) => notice.alert !== null), atOnce: true },
  );
  const open = new Set(alerts.data?.items.map(({ id }) => id));
  const confirm = useAction(
    ({ notice }: NoticeGroup) =>
      call(api.identity.answerAlert, { alert: notice.alert ?? "", mine: true }),
    {
      onDone: (_done, { unreadIds }) => {
        if (unreadIds.length > 0) read.send(unreadIds);
      },
    },
  );
  const unread = list.first?.unread ?? 0;
  const place = useFocusAfterRemoval(unread + open.size, "[tabindex]");
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des notifications…"
        lines={4}
        height="4rem"
        failed="Les notifications n’ont pas pu être chargées."
      />
    );
  }
  const newest = groups[0]?.notice.id;
  const notRead = list.next.error ? null : list.error;
  const refusal = read.problem ?? readAll.problem ?? confirm.problem ?? notRead;
  if (newest === undefined) {
    return (
      <EmptyState icon="bell" title="Tout est lu">
        Vos recharges, vos virements et la vie de votre carte s’annonceront ici.
      </EmptyState>
    );
  }
  return (
    <Stack ref={place} gap={4}>
      <div className={styles.noticesHead}>
        <p aria-live="polite" tabIndex={-1}>
          {unread > 0
            ? plural(unread, "notification non lue", "notifications non lues")
            : "Tout est lu"}
        </p>
        {unread > 0 && (
          <Button
            kind="ghost"
            size="small"
            icon="check"
            loading={readAll.isPending}
            onClick={() => readAll.send(newest)}
          >
            Tout marquer comme lu
          </Button>
        )}
      </div>
      {refusal && (
        <Banner tone="danger" alert>
          {refusal.message}
        </Banner>
      )}
      <Stack as="ol" gap={4}>
        {groups.map((group) => (
          <NoticeItem
            key={group.notice.id}
            group={group}
            asks={group.notice.alert !== null && open.has(group.notice.alert)}
            confirming={confirm.isPending && confirm.variables.notice.id === group.notice.id}
            onRead={() => group.unreadIds.length > 0 && read.send(group.unreadIds)}
            onConfirm={() => confirm.send(group)}
            onLeave={onLeave}
          />
        ))}
      </Stack>
      <SeeMore
        countLabel={plural(groups.length, "notification affichée", "notifications affichées")}
        next={list.next}
      />
    </Stack>
  );
}

interface Item {
  group: NoticeGroup;
  /** Whether this browser may answer for the login that the notice is about. */
  asks: boolean;
  confirming: boolean;
  onRead: () => void;
  onConfirm: () => void;
  onLeave: () => void;
}

function NoticeItem({ group, asks, confirming, onRead, onConfirm, onLeave }: Item) {
  const { path, alert } = group.notice;
  const follow = () => {
    onRead();
    onLeave();
  };
  return (
    <li>
      {path ? (
        <Link className={styles.notice} href={path} onClick={follow}>
          <Said group={group} />
        </Link>
      ) : group.unreadIds.length > 0 ? (
        <button type="button" className={styles.notice} onClick={onRead}>
          <Said group={group} />
        </button>
      ) : (
        <div className={styles.notice}>
          <Said group={group} />
        </div>
      )}
      {asks && (
        <div className={styles.answers}>
          <Button size="small" icon="check" loading={confirming} onClick={onConfirm}>
            C’était moi
          </Button>
          <ButtonLink
            size="small"
            href={linkTo(paths.denyLogin, {}, { alert: alert ?? undefined })}
            onClick={follow}
          >
            Pas moi
          </ButtonLink>
        </div>
      )}
    </li>
  );
}

function Said({ group: { notice, ids, unreadIds } }: { group: NoticeGroup }) {
  const { kind, title, body, at } = notice;
  return (
    <>
      <span className={styles.noticeIcon}>
        <Icon name={icons[kind] ?? "bell"} size={20} />
      </span>
      <span className={styles.noticeWords}>
        <Text as="span" weight="strong">
          {title}
          {unreadIds.length > 0 && <span className="unseen"> (non lue)</span>}
        </Text>
        <Text as="span" size="fine" breakWord>
          {body}
        </Text>
        <Text as="span" tone="soft" size="small">
          <time dateTime={at}>
            {spokenDay(at)} {formatTime(at)}
          </time>
          {ids.length > 1 && `, ${ids.length} fois`}
        </Text>
      </span>
      {unreadIds.length > 0 && <span className={styles.noticeDot} aria-hidden="true" />}
    </>
  );
}
