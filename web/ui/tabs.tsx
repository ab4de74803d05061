// Tabs of one screen. The chosen one is the caller's, so that it can live in the address. Written by
// hand: the pattern is two keys and three roles, and a library's weighs 10 KB on the first screen.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { mayLeave, useRegion } from "./unsaved.tsx";
import "./tabs.css";

export interface Tab<T extends string = string> {
  value: T;
  label: string;
  count?: number;
  content: ReactNode;
}

/** Where an arrow, Home or End leads from `index`; null for any other key. */
function indexAfter(key: string, index: number, length: number): number | null {
  if (key === "ArrowRight") return (index + 1) % length;
  if (key === "ArrowLeft") return (index - 1 + length) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : null;
}

/**
 * Arrows move the focus; Enter, Space or a press chooses. Only the chosen panel is rendered: where
 * another would lose what is typed in it, the person is asked.
 */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onValue,
}: {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onValue: (value: T) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = tabs.find((tab) => tab.value === value) ?? tabs[0];
  const [region, inRegion] = useRegion();
  const choose = async (tab: Tab<T>) => {
    if (tab === chosen || (await mayLeave(region))) onValue(tab.value);
  };
  // Where the tabs are wider than the screen, the chosen one of an address is in sight.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - 48;
    // oxlint-disable-next-line react/exhaustive-deps -- the tab that is chosen is read from the page
  }, [value]);
  const move = (event: KeyboardEvent<HTMLButtonElement>, index: number) => {
    const next = indexAfter(event.key, index, tabs.length);
    if (next === null) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLButtonElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div className="tabs">
      <div className="tabs-list" role="tablist" aria-label={label} ref={list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            className="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab === chosen}
            aria-controls={tab === chosen ? `${id}-panel` : undefined}
            tabIndex={tab === chosen ? 0 : -1}
            onKeyDown={(event) => move(event, index)}
            onClick={() => void choose(tab)}
          >
            {tab.label}
            {tab.count ? <span className="tab-count">{tab.count}</span> : null}
          </button>
        ))}
      </div>
      {chosen && (
        <div
          key={chosen.value}
          className="tab-panel"
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${chosen.value}`}
        >
          {inRegion(chosen.content)}
        </div>
      )}
    </div>
  );
}
