// Notifications of the screen: at the bottom for 5 seconds, or red at the top (spec §8, §9). What a
// person must act on also stays readable in the page: a toast alone is never the message.
import { useEffect, useSyncExternalStore } from "react";
import { spec } from "#contract/limits.ts";
import "./toast.css";
import { IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export interface Notice {
  text: string;
  kind?: "info" | "success" | "error";
  position?: "bottom" | "top";
  timeoutMs?: number;
  action?: { label: string; onPress: () => void };
}

interface KeyedNotice extends Notice {
  key: number;
}

let toasts: readonly KeyedNotice[] = [];
let lastKey = 0;
const readers = new Set<() => void>();

function show(next: readonly KeyedNotice[]): void {
  toasts = next;
  for (const reader of readers) reader();
}

/** Shows a notification and returns what takes it away. The same text is not shown twice at once. */
export function notify(notice: Notice): () => void {
  const key = ++lastKey;
  show([...toasts.filter((other) => other.text !== notice.text).slice(-2), { ...notice, key }]);
  return () => dismiss(key);
}

const dismiss = (key: number) => show(toasts.filter((notice) => notice.key !== key));

/** Takes the error notifications away: what failed belongs to the screen that one leaves (spec §2). */
export const clearErrorNotices = (): void => show(toasts.filter(({ kind }) => kind !== "error"));

const icons: Record<NonNullable<Notice["kind"]>, IconName> = {
  info: "info",
  success: "success",
  error: "danger",
};

function Toast({ notice }: { notice: KeyedNotice }) {
  const { key, kind = "info", text, action, timeoutMs = spec.notificationTimeoutMs } = notice;
  useEffect(() => {
    let left = timeoutMs;
    let since = Date.now();
    let timer = setTimeout(() => dismiss(key), left);
    // Nobody loses a message that the pointer or the focus is on (WCAG 2.2.1).
    const element = document.getElementById(`toast-${key}`);
    const hold = () => {
      clearTimeout(timer);
      left -= Date.now() - since;
    };
    const release = () => {
      clearTimeout(timer);
      since = Date.now();
      timer = setTimeout(() => dismiss(key), Math.max(left, 1000));
    };
    const holds = ["pointerenter", "focusin"];
    const releases = ["pointerleave", "focusout"];
    for (const name of holds) element?.addEventListener(name, hold);
    for (const name of releases) element?.addEventListener(name, release);
    return () => clearTimeout(timer);
  }, [key, timeoutMs]);
  return (
    <li id={`toast-${key}`} className="toast" data-kind={kind}>
      <Icon name={icons[kind]} size={20} />
      <p className="toast-text">{text}</p>
      {action && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            action.onPress();
            dismiss(key);
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton icon="close" label="Fermer la notification" onClick={() => dismiss(key)} />
    </li>
  );
}

const subscribe = (reader: () => void) => {
  readers.add(reader);
  return () => readers.delete(reader);
};

/** The two places where notifications appear; mounted once, at the root, before any notification. */
export function ToastRegion() {
  const now = () => toasts;
  const notices = useSyncExternalStore(subscribe, now, now);
  return (["top", "bottom"] as const).map((position) => (
    <section key={position} aria-label={position === "top" ? "Alertes" : "Notifications"}>
      <ol
        className="toasts"
        data-position={position}
        aria-live={position === "top" ? "assertive" : "polite"}
      >
        {notices
          .filter((notice) => (notice.position ?? spec.notificationPosition) === position)
          .map((notice) => (
            <Toast key={notice.key} notice={notice} />
          ))}
      </ol>
    </section>
  ));
}
