// The menus of a week: a column a day, each written on a page of its own; published, copied, kept as a template.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { MenuView, MenuWeek } from "#contract/kitchen/menus.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { serviceDayFrom } from "#contract/kitchen/service-day.ts";
import { addDays, startOfWeek, todayInParis, weekDays, weekdayOf } from "#contract/days.ts";
import { plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { isDay } from "#web/ui/days.ts";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { useFocusAfterRemoval } from "#web/ui/focus.ts";
import { FootBar } from "#web/ui/foot-bar.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import styles from "./menus.module.css";
import { EgalimSection } from "./egalim-section.tsx";
import { PurchaseShares } from "./purchase-shares.tsx";
import { MenuCopyForm } from "./menu-copy-form.tsx";
import { MenuDayColumn } from "./menu-day.tsx";
import { MenuTemplates } from "./menu-templates.tsx";
import { keepWeek, menuOf, weekWords } from "./menu-week.ts";
import { gapsOf, WeekGaps } from "./week-gaps.tsx";

const MenuImport = lazy(async () => ({ default: (await import("./menu-import.tsx")).MenuImport }));

type DialogKind = "copy" | "templates" | "import";

export function MenusTab({
  canteens,
  decides,
}: {
  canteens: readonly OwnCanteen[];
  /** Whether whoever looks may declare what the company buys. */
  decides: boolean;
}) {
  const [{ week: weekParam = "" }, change] = useSearchParameters<"canteenDesk">();
  const today = todayInParis();
  // Once the last service of a week is over, the week that is prepared.
  const current = startOfWeek(serviceDayFrom(today, canteens));
  const monday = startOfWeek(isDay(weekParam) ? weekParam : current);
  const week = useAnswer(api.canteen.menuWeek, { day: monday });
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const close = () => setDialog(null);
  const go = (to: string) => change({ week: to === current ? undefined : to });
  const show = (written: MenuWeek) => {
    keepWeek(written);
    go(written.monday);
    close();
  };
  // The act that is pressed goes with what it has done: the week's heading has the keyboard then.
  const place = useFocusAfterRemoval(week.data ? actsLeft(week.data) : 0);
  const days = week.data ? shownDays(week.data, canteens) : [];
  const closedWhy = (day: string) => week.data?.closed.find((one) => one.day === day)?.why;
  return (
    <Stack gap={20} ref={place}>
      <div className={styles.weekHead}>
        <IconButton
          icon="left"
          label="Semaine précédente"
          onClick={() => go(addDays(monday, -7))}
        />
        <h2 aria-live="polite">{weekWords(monday)}</h2>
        <IconButton icon="right" label="Semaine suivante" onClick={() => go(addDays(monday, 7))} />
      </div>
      {monday !== current && (
        <div>
          <Button size="small" icon="calendar" onClick={() => go(current)}>
            {current === startOfWeek(today)
              ? "Revenir à cette semaine"
              : "Revenir à la semaine prochaine"}
          </Button>
        </div>
      )}
      {!week.data && (
        <NotLoaded
          answer={week}
          label="Chargement des menus…"
          lines={5}
          height="24rem"
          failed="Les menus n’ont pas pu être chargés."
        />
      )}
      {week.data && (
        <>
          <WeekActs week={week.data} today={today} days={days} onOpen={setDialog} onShown={show} />
          <ul className={styles.days} data-unwritten={week.data.items.length === 0 || undefined}>
            {days.map((menu) => (
              <MenuDayColumn
                key={menu.day}
                menu={menu}
                past={menu.day < today}
                closedWhy={closedWhy(menu.day)}
                seats={seatsOn(menu.day, canteens)}
              />
            ))}
          </ul>
          <EgalimSection days={week.data.items} />
          <PurchaseShares mayDeclare={decides} />
        </>
      )}
      <Dialog open={dialog !== null} onClose={close} title={dialog ? titleOf(dialog, monday) : ""}>
        {dialog === "copy" && (
          <MenuCopyForm from={monday} today={today} onCopied={show} onClose={close} />
        )}
        {dialog === "templates" && (
          <MenuTemplates monday={monday} hasMenus={week.data?.items.length !== 0} onLaid={show} />
        )}
        {dialog === "import" && (
          <Suspense fallback={<Skeleton lines={3} height="3rem" />}>
            <MenuImport onImported={show} onClose={close} />
          </Suspense>
        )}
      </Dialog>
    </Stack>
  );
}

function titleOf(dialog: DialogKind, monday: string): string {
  if (dialog === "import") return "Importer des menus";
  return dialog === "copy" ? `Copier la ${weekWords(monday).toLowerCase()}` : "Semaines types";
}

/** What a week waits for: to be written, then to be published. */
const actsLeft = ({ items }: MenuWeek): number =>
  items.length === 0 ? 2 : Number(items.some(({ published }) => !published));

/** Meals that the canteens which serve on a day can seat. */
const seatsOn = (day: string, canteens: readonly OwnCanteen[]): number =>
  canteens
    .filter(({ weekdays }) => weekdays.includes(weekdayOf(day)))
    .reduce((sum, { seats }) => sum + seats, 0);

/** Working days, and the days of the week-end on which a canteen serves or a menu is written. */
function shownDays(week: MenuWeek, canteens: readonly OwnCanteen[]): MenuView[] {
  return weekDays(week.monday)
    .map((day) => menuOf(week, day))
    .filter(
      ({ dishes }, index) =>
        index < 5 || dishes.length > 0 || canteens.some(({ weekdays }) => weekdays.includes(index)),
    );
}

function WeekActs({
  week,
  today,
  days,
  onOpen,
  onShown,
}: {
  week: MenuWeek;
  today: string;
  days: readonly MenuView[];
  onOpen: (kind: DialogKind) => void;
  onShown: (week: MenuWeek) => void;
}) {
  const ahead = week.items.filter(({ day }) => day >= today);
  const served = days.filter(
    ({ day, dishes }) =>
      day >= today && (dishes.length > 0 || !week.closed.some((one) => one.day === day)),
  );
  const drafts = ahead.filter(({ published }) => !published).length;
  const waiting = drafts > 0;
  const publish = useAction(
    (input: { day: string; published: boolean; undeclared?: true }) =>
      call(api.canteen.publishMenus, input),
    {
      says: (_, { published }) =>
        published
          ? "Menus publiés\u202f: les familles les voient."
          : "Menus retirés\u202f: les familles ne les voient plus.",
      onDone: ({ monday, items, closed }) => keepWeek({ monday, items, closed }),
    },
  );
  // Another week may be shown by the time it is answered: the week of the request is confirmed.
  const requestedDay = publish.variables?.day ?? week.monday;
  const left = publish.data?.left ?? [];
  const isUndeclared = publish.problem?.code === "menu_undeclared" || left.length > 0;
  return (
    <>
      <Actions>
        {ahead.length === 0 && served.length > 0 && <LastWeekCopy week={week} onCopied={onShown} />}
        {ahead.length > 0 && !waiting && (
          <Button
            icon="eyeOff"
            loading={publish.isPending}
            onClick={() => publish.send({ day: week.monday, published: false })}
          >
            Retirer la semaine
          </Button>
        )}
        <Menu
          label="Copier ou importer des menus"
          text="Copier ou importer"
          items={[
            ...(week.items.length > 0
              ? [
                  {
                    label: "Copier cette semaine…",
                    icon: "copy" as const,
                    onSelect: () => onOpen("copy"),
                  },
                ]
              : []),
            {
              label: "Semaines types…",
              icon: "calendar",
              onSelect: () => onOpen("templates"),
            },
            {
              label: "Importer un fichier…",
              icon: "document",
              onSelect: () => onOpen("import"),
            },
          ]}
        />
      </Actions>
      {ahead.length > 0 && <WeekGaps gaps={gapsOf(served)} />}
      {waiting && (
        <FootBar
          summary={`${plural(ahead.length, "jour écrit", "jours écrits")} sur ${served.length}`}
          hint={`${plural(drafts, "brouillon")}, que les familles ne voient pas`}
        >
          <Button
            kind="primary"
            icon="eye"
            loading={publish.isPending}
            onClick={() => publish.send({ day: week.monday, published: true })}
          >
            Publier la semaine
          </Button>
        </FootBar>
      )}
      {isUndeclared ? (
        <AlertDialog
          open
          cautious
          title="Des allergènes ne sont pas renseignés"
          cancel="Les renseigner"
          confirm="Publier ainsi"
          loading={publish.isPending}
          onClose={publish.reset}
          onConfirm={() => publish.send({ day: requestedDay, published: true, undeclared: true })}
        >
          {left.length > 0
            ? `Les autres jours sont publiés. Ceux-ci attendent\u202f: ${left.join(", ")}. Publiés ainsi, les familles qui ont déclaré un allergène sont averties.`
            : publish.problem?.message}
        </AlertDialog>
      ) : (
        <ProblemBanner problem={publish.problem} />
      )}
    </>
  );
}

/**
 * An empty week takes the menus of the one before in one act: nothing is replaced, and its days wait to be published.
 */
function LastWeekCopy({
  week: { monday },
  onCopied,
}: {
  week: MenuWeek;
  onCopied: (week: MenuWeek) => void;
}) {
  const from = addDays(monday, -7);
  const before = useAnswer(api.canteen.menuWeek, { day: from });
  const copy = useAction(
    async () => {
      const { fingerprint } = await call(api.canteen.previewCopy, { from, to: monday });
      return await call(api.canteen.copyMenus, { from, to: monday, replace: [], fingerprint });
    },
    { onDone: (week) => onCopied(week) },
  );
  if (!before.data || before.data.items.length === 0) return null;
  return (
    <>
      <Button icon="copy" loading={copy.isPending} onClick={() => copy.send()}>
        Copier la semaine d’avant
      </Button>
      <ProblemBanner problem={copy.problem} title="Rien n’a été copié." />
    </>
  );
}
