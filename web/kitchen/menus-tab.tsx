// The menus of a week: read, written day by day, published, copied, kept as a template.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { MenuView, MenuWeek } from "#contract/kitchen/menus.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { serviceDayFrom } from "#contract/kitchen/service-day.ts";
import { addDays, startOfWeek, todayInParis, weekDays } from "#contract/days.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { isDay } from "#web/ui/days.ts";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import styles from "./menus.module.css";
import { EgalimSection } from "./egalim-section.tsx";
import { PurchaseShares } from "./purchase-shares.tsx";
import { MenuCopyForm } from "./menu-copy-form.tsx";
import { MenuDayCard } from "./menu-day.tsx";
import { MenuEditor } from "./menu-editor.tsx";
import { MenuTemplates } from "./menu-templates.tsx";
import { keepWeek, weekWords } from "./menu-week.ts";

const MenuImport = lazy(async () => ({ default: (await import("./menu-import.tsx")).MenuImport }));

type OpenDialog =
  | { kind: "copy" | "templates" | "import" }
  | { kind: "edit"; menu: MenuView }
  | null;

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
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  const go = (to: string) => change({ week: to === current ? undefined : to });
  const show = (written: MenuWeek) => {
    keepWeek(written);
    go(written.monday);
    close();
  };
  return (
    <Stack gap={20}>
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
          <WeekActs week={week.data} today={today} onOpen={(kind) => setDialog({ kind })} />
          <ul className={styles.days}>
            {shownDays(week.data, canteens).map((menu) => (
              <MenuDayCard
                key={menu.day}
                menu={menu}
                past={menu.day < today}
                onEdit={() => setDialog({ kind: "edit", menu })}
              />
            ))}
          </ul>
          <EgalimSection days={week.data.items} />
          <PurchaseShares mayDeclare={decides} />
        </>
      )}
      <Dialog open={dialog !== null} onClose={close} title={dialog ? titleOf(dialog, monday) : ""}>
        {dialog?.kind === "edit" && (
          <MenuEditor menu={dialog.menu} onWritten={show} onClose={close} />
        )}
        {dialog?.kind === "copy" && (
          <MenuCopyForm from={monday} today={today} onCopied={show} onClose={close} />
        )}
        {dialog?.kind === "templates" && (
          <MenuTemplates monday={monday} hasMenus={week.data?.items.length !== 0} onLaid={show} />
        )}
        {dialog?.kind === "import" && (
          <Suspense fallback={<Skeleton lines={3} height="3rem" />}>
            <MenuImport onImported={show} onClose={close} />
          </Suspense>
        )}
      </Dialog>
    </Stack>
  );
}

function titleOf(dialog: NonNullable<OpenDialog>, monday: string): string {
  if (dialog.kind === "edit") return "Menu du jour";
  if (dialog.kind === "import") return "Importer des menus";
  return dialog.kind === "copy" ? `Copier la ${weekWords(monday).toLowerCase()}` : "Semaines types";
}

/** Working days, and the days of the week-end on which a canteen serves or a menu is written. */
function shownDays({ monday, items }: MenuWeek, canteens: readonly OwnCanteen[]): MenuView[] {
  return weekDays(monday)
    .map(
      (day) =>
        items.find((item) => item.day === day) ?? { day, published: false, note: "", dishes: [] },
    )
    .filter(
      ({ dishes }, index) =>
        index < 5 || dishes.length > 0 || canteens.some(({ weekdays }) => weekdays.includes(index)),
    );
}

function WeekActs({
  week,
  today,
  onOpen,
}: {
  week: MenuWeek;
  today: string;
  onOpen: (kind: "copy" | "templates" | "import") => void;
}) {
  const ahead = week.items.filter(({ day }) => day >= today);
  const waiting = ahead.some(({ published }) => !published);
  const publish = useAction(
    (input: { published: boolean; undeclared?: true }) =>
      call(api.canteen.publishMenus, { day: week.monday, ...input }),
    {
      says: (_, { published }) =>
        published
          ? "Menus publiés\u202f: les familles les voient."
          : "Menus retirés\u202f: les familles ne les voient plus.",
      onDone: ({ monday, items }) => keepWeek({ monday, items }),
    },
  );
  const left = publish.data?.left ?? [];
  const isUndeclared = publish.problem?.code === "menu_undeclared" || left.length > 0;
  return (
    <>
      <Actions>
        {ahead.length > 0 && (
          <Button
            kind={waiting ? "primary" : "secondary"}
            icon={waiting ? "eye" : "eyeOff"}
            loading={publish.isPending}
            onClick={() => publish.send({ published: waiting })}
          >
            {waiting ? "Publier la semaine" : "Retirer la semaine"}
          </Button>
        )}
        <Menu
          label="Copier ou importer des menus"
          text="Copier ou importer"
          items={[
            {
              label: "Copier cette semaine…",
              icon: "copy",
              disabled: week.items.length === 0,
              onSelect: () => onOpen("copy"),
            },
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
      {isUndeclared ? (
        <AlertDialog
          open
          cautious
          title="Des allergènes ne sont pas renseignés"
          cancel="Les renseigner"
          confirm="Publier ainsi"
          loading={publish.isPending}
          onClose={publish.reset}
          onConfirm={() => publish.send({ published: true, undeclared: true })}
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
