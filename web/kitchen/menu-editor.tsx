// Writing the menu of a day: one line a dish, by the keyboard alone. What is typed is a draft of this tab until it is
// saved.
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDayInWords, plural } from "#contract/french.ts";
import { maxDishes, type MenuWeek } from "#contract/kitchen/menus.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { dropDraft } from "#web/ui/draft.ts";
import { FootBar } from "#web/ui/foot-bar.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { Text } from "#web/ui/text.tsx";
import { ChangedMenu } from "./changed-menu.tsx";
import { CopiedDay } from "./copied-day.tsx";
import styles from "./menu-editor.module.css";
import { MenuLineFields, type LinePart } from "./menu-line.tsx";
import {
  dishesOf,
  dishesText,
  faultsOf,
  lineOf,
  menuDraft,
  type MenuLine,
  menuText,
  readMenu,
  typedMenu,
  type TypedMenu,
  withLineAfter,
  withLineMoved,
  withoutLine,
} from "./menu-lines.ts";
import { keepWeek, menuOf, type MenuOfDay } from "./menu-week.ts";

export function MenuEditor({
  menu,
  next,
  hasGoneOn,
  onWritten,
}: {
  menu: MenuOfDay;
  /** The day that is written after this one; null at the end of the week. */
  next: string | null;
  /** Another day was written before it. */
  hasGoneOn: boolean;
  /** `day` is the next one to write, null to leave. */
  onWritten: (week: MenuWeek, day: string | null) => void;
}) {
  const { day } = menu;
  const list = useRef<HTMLOListElement>(null);
  /** The dishes that were refused for undeclared allergens: sent again as they are, they are confirmed. */
  const [refusedText, setRefusedText] = useState<string | null>(null);
  /** What is unfolded, of a line of the menu that the typing began with. */
  const [open, setOpen] = useState<{ base: string; key: number; part: LinePart } | null>(null);
  /** Where the keyboard goes once the lines are drawn. */
  const focused = useRef<{ key: number; isPart: boolean } | null>(null);
  const [, draw] = useState(0);
  const goesOn = useRef(false);
  const hasTyped = useRef(false);
  const latest = useRef<TypedMenu | null>(null);
  const [abandoned, setAbandoned] = useState<TypedMenu | null>(null);
  const write = useAction(
    ({ note, lines, fingerprint }: TypedMenu) => {
      const undeclared = dishesText(lines) === refusedText;
      const dishes = dishesOf(lines);
      return call(api.canteen.writeMenu, { day, note, dishes, fingerprint, undeclared });
    },
    {
      onDone: (week, sent) => {
        if (latest.current === sent) leave(week);
        else stay(week);
      },
      onRefused: ({ code }, { lines }) => {
        setRefusedText(code === "menu_undeclared" ? dishesText(lines) : null);
        if (code === "menu_changed") noteChanges(["menus"]);
      },
    },
  );
  const first = typedMenu(menu);
  const isAsSaved = ({ note, lines }: TypedMenu) =>
    menuText({ note, dishes: dishesOf(lines) }) === first.base;
  const { values, set, field, errorOf, problem, form } = useForm<TypedMenu>(
    first,
    faultsOf,
    write,
    {
      draft: menuDraft(day),
      onValues: (typed) => isAsSaved(typed) && dropDraft(menuDraft(day).name),
    },
  );
  const { lines, base } = values;
  const dishes = dishesOf(lines);
  const isDraft = !isAsSaved(values);
  const isUntouched = menuText({ note: values.note, dishes }) === base;
  const isChanged = base !== first.base && isDraft;
  const isRefusedAsChanged = isChanged && problem?.code === "menu_changed";
  const isUndeclared = refusedText === dishesText(lines);
  const silent = dishes.filter(({ allergens }) => allergens === null).length;

  useEffect(() => {
    latest.current = values;
  });
  // Where nothing is typed, the menu is the one that somebody else has saved meanwhile. Where that is what is typed, it
  // is read: the answer to an own save may have been lost.
  useEffect(() => {
    if (base === first.base) return;
    if (isUntouched) {
      // What is unfolded closes with it: the keyboard in it goes to the name of its line.
      const unfolded = list.current?.querySelector("[data-part]:focus-within");
      unfolded?.closest("li")?.querySelector<HTMLElement>("[role=combobox]")?.focus();
      set(first);
    } else if (!isDraft && !write.isPending) set(readMenu(menu));
  });
  useEffect(() => {
    const to = focused.current;
    if (!to) return;
    focused.current = null;
    const line = list.current?.querySelector(`[data-line="${to.key}"]`);
    line?.querySelector<HTMLElement>(to.isPart ? "[data-part] button" : "[role=combobox]")?.focus();
  });
  // A day that nobody has written begins at its first line, and so does the next one.
  const [beginsAtLine] = useState(menu.dishes.length === 0 || hasGoneOn);
  useEffect(() => {
    if (beginsAtLine) list.current?.querySelector<HTMLElement>("[role=combobox]")?.focus();
  }, [beginsAtLine]);

  function leave(week: MenuWeek) {
    dropDraft(menuDraft(day).name);
    // Whoever has gone elsewhere meanwhile is not led away from there.
    if (list.current) onWritten(week, goesOn.current ? next : null);
    else keepWeek(week);
  }
  // What was typed since it was sent is not saved: it stays in view, to be saved too.
  function stay(week: MenuWeek) {
    keepWeek(week);
    const read = readMenu(menuOf(week, day));
    set(read);
    setOpen((part) => part && { ...part, base: read.base });
  }
  const abandon = () => {
    setAbandoned(values);
    setOpen(null);
    set(first);
    // What was refused is what is given up.
    if (problem) write.reset();
  };
  const restore = () => {
    if (abandoned) set(abandoned);
    setAbandoned(null);
    setOpen(null);
  };
  const focusLine = (key: number | undefined, isPart = false) => {
    if (key === undefined) return;
    focused.current = { key, isPart };
    draw((times) => times + 1);
  };
  const change = (key: number, part: Partial<MenuLine>) =>
    set((now) => ({
      lines: now.lines.map((line) => (line.key === key ? { ...line, ...part } : line)),
    }));
  const add = (after?: MenuLine) => {
    const more = withLineAfter(lines, after);
    if (!more) return;
    // A dish that was just taken is among the lines of this moment.
    set((now) => ({ lines: withLineAfter(now.lines, after)?.lines ?? now.lines }));
    focusLine(more.added);
  };
  const remove = (key: number) => {
    const left = withoutLine(lines, key);
    set({ lines: left.lines });
    // The next line that is made may have its key.
    setOpen(null);
    focusLine(left.beside);
  };
  const openPart = (key: number, part: LinePart | null) => {
    setOpen(part && { base, key, part });
    focusLine(key, part !== null);
  };
  const keysOf = (line: MenuLine, at: number) => ({
    onNext: () => {
      setOpen(null);
      const following = lines[at + 1];
      if (following) focusLine(following.key);
      else add(line);
    },
    onErase: () => lines.length > 1 && remove(line.key),
    onStep: (by: 1 | -1) => {
      focusLine(lines[at + by]?.key);
      setOpen(null);
    },
    onMove: (by: 1 | -1) => {
      set({ lines: withLineMoved(lines, line.key, by) });
      focusLine(line.key);
    },
  });
  const save = (isOn: boolean) => {
    goesOn.current = isOn;
    list.current?.closest("form")?.requestSubmit();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl + Enter sends from any field
    <form
      {...form}
      onKeyDown={(event) => {
        hasTyped.current = true;
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        // The button that has the keyboard is not pressed too. Held keys neither confirm nor save the next day.
        event.preventDefault();
        if (!event.repeat) save(next !== null);
      }}
    >
      {isChanged && (
        <ChangedMenu
          base={base}
          menu={menu}
          refusal={isRefusedAsChanged ? problem.message : null}
          onRead={() => {
            abandon();
            focusLine(first.lines[0]?.key);
          }}
          onKeep={() => {
            set(readMenu(menu));
            write.reset();
            focusLine(lines[0]?.key);
          }}
        />
      )}
      {menu.published && (
        <Text tone="soft" size="fine">
          Ce menu est publié{"\u202f"}: les familles verront le changement.
        </Text>
      )}
      <CopiedDay
        day={day}
        isWritten={dishes.length > 0}
        onCopied={(copied) => {
          setOpen(null);
          set({ lines: copied.map(lineOf) });
        }}
        lines={lines}
        onUndone={(before) => {
          setOpen(null);
          set({ lines: before });
        }}
      />
      <div className={styles.table}>
        <div className={styles.heads} aria-hidden="true">
          <span>Service</span>
          <span>Plat</span>
          <span>Allergènes</span>
        </div>
        <ol ref={list} className={styles.lines} aria-label="Plats du menu">
          {lines.map((line, at) => (
            <MenuLineFields
              key={line.key}
              line={line}
              place={at + 1}
              others={lines.filter(({ key }) => key !== line.key).map(({ name }) => name)}
              isChecked={Boolean(errorOf("lines"))}
              open={open?.base === base && open.key === line.key ? open.part : null}
              onOpen={(part) => openPart(line.key, part)}
              onChange={(part) => change(line.key, part)}
              onRemove={() => remove(line.key)}
              opensList={() => hasTyped.current}
              keys={keysOf(line, at)}
            />
          ))}
        </ol>
      </div>
      {dishes.length === 0 && menu.dishes.length > 0 && (
        <p>Sans plat, ce jour n’aura pas de menu.</p>
      )}
      <Actions>
        {lines.length < maxDishes && (
          <Button size="small" icon="plus" onClick={() => add()}>
            Ajouter un plat
          </Button>
        )}
        {(isDraft || abandoned) && (
          <Button size="small" kind="ghost" onClick={isDraft ? abandon : restore}>
            {isDraft ? "Abandonner la saisie" : "Reprendre la saisie"}
          </Button>
        )}
      </Actions>
      <TextInput
        label="Note pour les familles"
        hint="Par exemple, un repas à thème."
        optional
        maxLength={300}
        {...field("note")}
      />
      <ProblemBanner
        problem={isRefusedAsChanged ? null : problem}
        title="Le menu n’a pas été enregistré."
      />
      <FootBar
        summary={plural(dishes.length, "plat")}
        hint={[
          ...(silent > 0 ? [`${silent} sans allergènes renseignés`] : []),
          stateWords(isDraft, dishes.length === 0),
        ].join(" · ")}
      >
        <div className={styles.acts}>
          <Button
            kind={next ? "secondary" : "primary"}
            loading={write.isPending}
            onClick={() => save(false)}
          >
            {isUndeclared ? "Enregistrer ainsi" : "Enregistrer"}
          </Button>
          {next && (
            <Button kind="primary" loading={write.isPending} onClick={() => save(true)}>
              {isUndeclared ? "Enregistrer ainsi" : "Enregistrer"}, puis {weekdayOf(next)}
            </Button>
          )}
        </div>
      </FootBar>
    </form>
  );
}

/** « mardi ». */
const weekdayOf = (day: string): string => formatDayInWords(day).split(" ", 1).join("");

function stateWords(isDraft: boolean, isEmpty: boolean): string {
  if (isDraft) return "non enregistré, gardé dans cet onglet";
  return isEmpty ? "à écrire" : "enregistré";
}
