// The notices of a person, newest first, by server pages; what was read is said so.
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import type { Notification } from "#contract/notifications/rows.ts";
import { keyOf, readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFocusAfterRemoval } from "#web/ui/focus.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { DateText } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { SeeMore } from "#web/ui/table.tsx";
import styles from "./notice-list.module.css";

const icons: Readonly<Record<string, IconName>> = {
  top_up: "plus",
  transfer: "incoming",
  wallet: "wallet",
  card: "card",
  security: "shield",
};

/** `onLeave` is called when a notice leads to another screen. */
export function NoticeList({ onLeave }: { onLeave: () => void }) {
  const list = useInfiniteQuery({
    queryKey: [...keyOf(api.notifications.list, {}), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(api.notifications.list, { before: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // What is open is what is true now: the bell's own list may be a minute old.
    staleTime: 0,
  });
  const read = useMutation<unknown, ApiProblem, number>({
    mutationFn: (upTo) => call(api.notifications.read, { upTo }),
    onSuccess: () => readAgain(api.notifications.list),
  });
  const unread = list.data?.pages[0]?.unread ?? 0;
  const place = useFocusAfterRemoval(unread, "[tabindex]");
  if (list.isPending) {
    return (
      <Loading label="Chargement des notifications…">
        <Skeleton lines={4} height="4rem" />
      </Loading>
    );
  }
  if (list.isError && !list.data) {
    return <ErrorState title="Les notifications n’ont pas pu être chargées." answer={list} />;
  }
  const notices = list.data.pages.flatMap((page) => page.items);
  const newest = notices[0]?.id;
  if (newest === undefined) {
    return (
      <EmptyState icon="bell" title="Tout est lu">
        Vos recharges, vos virements et la vie de votre carte s’annonceront ici.
      </EmptyState>
    );
  }
  return (
    <div ref={place} className={styles.notices}>
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
            loading={read.isPending}
            onClick={() => read.mutate(newest)}
          >
            Tout marquer comme lu
          </Button>
        )}
      </div>
      {(read.error ?? list.error) && (
        <Banner tone="danger" alert>
          {(read.error ?? list.error)?.message}
        </Banner>
      )}
      <ol className={styles.noticesList}>
        {notices.map((notice) => (
          <NoticeItem
            key={notice.id}
            notice={notice}
            onFollow={() => {
              // Older notices are left behind too: the server marks as read up to one.
              if (!notice.read) read.mutate(notice.id);
              onLeave();
            }}
          />
        ))}
      </ol>
      <SeeMore
        shown={plural(notices.length, "notification affichée", "notifications affichées")}
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </div>
  );
}

function NoticeItem({ notice, onFollow }: { notice: Notification; onFollow: () => void }) {
  const { kind, title, body, at, path, read } = notice;
  const inside = (
    <>
      <span className={styles.noticeIcon}>
        <Icon name={icons[kind] ?? "bell"} size={20} />
      </span>
      <span className={styles.noticeWords}>
        <span className={styles.noticeTitle}>
          {title}
          {!read && <span className="unseen"> (non lue)</span>}
        </span>
        <span className={styles.noticeBody}>{body}</span>
        <DateText at={at} time />
      </span>
      {!read && <span className={styles.noticeDot} aria-hidden="true" />}
    </>
  );
  return (
    <li>
      {path ? (
        <Link className={styles.notice} href={path} onClick={onFollow}>
          {inside}
        </Link>
      ) : (
        <div className={styles.notice}>{inside}</div>
      )}
    </li>
  );
}
