// Small things about people and time.
import { type ReactNode, useEffect, useState } from "react";
import "./person.css";
import { Button } from "./button.tsx";
import { notify } from "./toast.tsx";

/**
 * The initials on one of the card inks, under a photo where there is one. `name` is its label only with
 * `hasLabel`.
 */
export function Avatar({
  name,
  photo,
  size = "normal",
  hasLabel = false,
}: {
  name: string;
  /** An image, which covers the initials. */
  photo?: ReactNode;
  size?: "small" | "normal" | "large";
  /** True where no text beside it says the name. */
  hasLabel?: boolean;
}) {
  const initials = name
    .split(/[\s-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join("");
  const ink = Array.from(name).reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4;
  const said = hasLabel ? { role: "img", "aria-label": name } : { "aria-hidden": true };
  return (
    <span className="avatar" data-size={size} data-ink={ink} {...said}>
      {initials}
      {photo}
    </span>
  );
}

const clockOf = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours} h ${String(minutes).padStart(2, "0")}` : `${minutes}:${rest}`;
};

/**
 * Time left until an instant. `skewMs` is server clock minus device clock: the server's decides.
 * Assistive technology hears the last minute only, not every second.
 */
export function Countdown({
  until,
  skewMs = 0,
  onEnd,
}: {
  until: string;
  skewMs?: number;
  onEnd?: () => void;
}) {
  const leftOf = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now() - skewMs) / 1000));
  const [left, setLeft] = useState(leftOf);
  useEffect(() => {
    const tick = () => setLeft(leftOf());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- leftOf reads these two
  }, [until, skewMs]);
  const over = left === 0;
  useEffect(() => {
    if (over) onEnd?.();
    // oxlint-disable-next-line react/exhaustive-deps -- once, at the end
  }, [over]);
  return (
    <span className="countdown" role="timer" aria-live={left === 60 ? "polite" : "off"}>
      {clockOf(left)}
    </span>
  );
}

/** Hands an address to the sheet of the system; nothing where the browser has none. */
export function ShareButton({ title, url, label }: { title: string; url: string; label: string }) {
  if (!("share" in navigator)) return null;
  const share = async () => {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // Closing the sheet is a choice, not a failure.
      if ((error as Error).name === "AbortError") return;
      notify({ text: "Le partage n’a pas été permis par le navigateur.", kind: "error" });
    }
  };
  return (
    <Button kind="primary" icon="send" onClick={() => void share()}>
      {label}
    </Button>
  );
}

/** Copies a text and says so. */
export function CopyButton({ text, label = "Copier" }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), 2000);
    } catch {
      notify({ text: "La copie n’a pas été permise par le navigateur.", kind: "error" });
    }
  };
  return (
    <Button kind="ghost" size="small" icon={done ? "check" : "copy"} onClick={() => void copy()}>
      <span aria-live="polite">{done ? "Copié" : label}</span>
    </Button>
  );
}
