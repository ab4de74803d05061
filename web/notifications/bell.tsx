// The bell at the top of every screen: how many notices are unread, and the way to them. The count is
// live: the stream reads the list again at each notice (spec.md 15).
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

const NoticeList = lazy(async () => ({
  default: (await import("./notice-list.tsx")).NoticeList,
}));

// The room that so many notices take, at most the dialog's own: it does not grow once it is open.
const roomOf = (notices: number): string =>
  notices === 0 ? "" : `min(${notices * 6.75 + 5}rem, 39.5rem, 100dvh - 8.5rem)`;

export function Bell() {
  const [open, setOpen] = useState(false);
  const { data } = useAnswer(api.notifications.list, {});
  return (
    <>
      <IconButton
        icon="bell"
        label="Notifications"
        badge={data?.unread}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Dialog open={open} onClose={() => setOpen(false)} title="Notifications">
        <div style={{ minHeight: roomOf(data?.items.length ?? 0) }}>
          <Suspense
            fallback={
              <Loading>
                <Skeleton lines={4} height="4rem" />
              </Loading>
            }
          >
            <NoticeList onLeave={() => setOpen(false)} />
          </Suspense>
        </div>
      </Dialog>
    </>
  );
}
