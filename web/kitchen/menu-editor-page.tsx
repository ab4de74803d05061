// The page on which the menu of a day is written, beside its week. The day is in the address.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { addDays, startOfWeek, todayInParis, weekDays } from "#contract/days.ts";
import type { MenuView, MenuWeek } from "#contract/kitchen/menus.ts";
import { capital, formatDayInWords, formatShortDay, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { ForRoles } from "#web/app/shared/own-roles.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { isDay } from "#web/ui/days.ts";
import { DividedList } from "#web/ui/divided-list.tsx";
import { hasDraft } from "#web/ui/draft.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { MenuEditor } from "./menu-editor.tsx";
import styles from "./menu-editor.module.css";
import { menuDraft } from "./menu-lines.ts";
import { keepWeek, menuOf } from "./menu-week.ts";

export const MenuEditorPage = () => (
  <ForRoles may="cook" title="Menu du jour">
    <EditorOfDay />
  </ForRoles>
);

function EditorOfDay() {
  const [{ day = "" }, change] = useSearchParameters<"menuEditor">();
  const navigate = useNavigate();
  // What led from one day to another is gone with it: the keyboard is at the first line of the other one.
  const [firstDay] = useState(day);
  const [hasGoneOn, setHasGoneOn] = useState(false);
  if (day !== firstDay && !hasGoneOn) setHasGoneOn(true);
  const isKnown = isDay(day);
  const monday = isKnown ? startOfWeek(day) : "";
  const week = useAnswer(api.canteen.menuWeek, { day: monday }, { enabled: isKnown });
  const back = {
    href: isKnown ? linkTo(paths.canteenDesk, {}, { week: monday }) : paths.canteenDesk,
    label: "Menus de la semaine",
  };
  if (!isKnown || day < todayInParis()) {
    return (
      <Page>
        <PageHeader title="Menu du jour" back={back} />
        <EmptyState
          icon="calendar"
          title={isKnown ? "Ce jour est passé." : "Choisissez un jour."}
          action={<ButtonLink href={back.href}>Menus de la semaine</ButtonLink>}
        >
          {isKnown
            ? "Son menu reste tel qu’il a été servi."
            : "Le menu d’un jour s’écrit depuis sa semaine."}
        </EmptyState>
      </Page>
    );
  }
  const onWritten = (written: MenuWeek, to: string | null) => {
    keepWeek(written);
    if (to) change({ day: to });
    else void navigate({ href: linkTo(paths.canteenDesk, {}, { week: monday }) });
  };
  const menu = week.data && menuOf(week.data, day);
  const closed = week.data?.closed.find((one) => one.day === day);
  const next = week.data && nextDay(week.data, day);
  return (
    <Page>
      <PageHeader title={`Menu du ${formatDayInWords(day)}`} back={back} />
      {closed && (
        <Banner title="Aucun de vos restaurants ne sert ce jour-là.">{closed.why}.</Banner>
      )}
      <div className={styles.sheet}>
        {menu ? (
          <MenuEditor
            key={day}
            menu={menu}
            next={next ?? null}
            hasGoneOn={hasGoneOn}
            onWritten={onWritten}
          />
        ) : (
          <NotLoaded answer={week} label="Chargement du menu…" lines={6} height="4rem" />
        )}
        {week.data && (
          <div className={styles.aside}>
            <WeekAside week={week.data} day={day} />
          </div>
        )}
      </div>
    </Page>
  );
}

/** The next day of the week on which somebody serves; null at its end. */
const nextDay = ({ monday, closed }: MenuWeek, day: string): string | null =>
  weekDays(monday).find((one) => one > day && !closed.some((other) => other.day === one)) ?? null;

/** The week of the menu: where one is in it, and what the keys do. */
function WeekAside({ week, day: current }: { week: MenuWeek; day: string }) {
  const today = todayInParis();
  const days = weekDays(week.monday).filter(
    (day) => menuOf(week, day).dishes.length > 0 || !isClosed(week, day),
  );
  return (
    <>
      <Section title="La semaine">
        <DividedList>
          {days.map((day) => (
            <li key={day} className={styles.weekDay} aria-current={day === current || undefined}>
              {day < today || day === current ? (
                <strong>{capital(formatShortDay(day))}</strong>
              ) : (
                <Link href={linkTo(paths.menuEditor, {}, { day })}>
                  {capital(formatShortDay(day))}
                </Link>
              )}
              <Text as="span" tone="soft" size="small">
                {dayWords(menuOf(week, day))}
                {day !== current && hasDraft(menuDraft(day).name) && " · saisie non enregistrée"}
              </Text>
            </li>
          ))}
        </DividedList>
        <Link href={linkTo(paths.menuEditor, {}, { day: addDays(week.monday, 7) })}>
          Semaine suivante
        </Link>
      </Section>
      <section className={styles.keys} aria-label="Au clavier">
        <Text weight="strong" size="fine">
          Au clavier
        </Text>
        <dl>
          {keys.map(([key, act]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{act}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

const keys = [
  ["↓ puis Entrée", "prendre un plat proposé, avec ses allergènes"],
  ["Entrée", "ligne suivante"],
  ["Retour arrière", "sur une ligne vide, la retirer"],
  ["Alt + ↑ ou ↓", "déplacer la ligne"],
  ["Tab puis Entrée", "ouvrir les allergènes\u202f; Échap pour revenir"],
  ["Ctrl + Entrée", "enregistrer, puis le jour suivant"],
] as const;

const isClosed = ({ closed }: MenuWeek, day: string): boolean =>
  closed.some((one) => one.day === day);

const dayWords = ({ published, dishes }: MenuView): string =>
  dishes.length === 0
    ? "à écrire"
    : `${plural(dishes.length, "plat")}, ${published ? "publié" : "brouillon"}`;
