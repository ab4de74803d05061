// The card, drawn as a card: its own guilloche, the light that catches it, its number, its state.
import { type PointerEvent, type ReactNode, useMemo } from "react";
import { type CardState, cardStateNames } from "#contract/cards/rows.ts";
import { formatCardnumber, ofName } from "#contract/french.ts";
import { motifOf } from "#contract/motif.ts";
import "./inks.css";
import "./card.css";
import { Icon, type IconName } from "./icon.tsx";

const icons: Partial<Record<CardState, IconName>> = {
  suspended: "pause",
  opposed: "forbidden",
  replaced: "swap",
  damaged: "tool",
};

// The light follows the pointer through two custom properties: no re-render, no inline script.
function light(event: PointerEvent<HTMLElement>) {
  if (event.pointerType !== "mouse") return;
  const box = event.currentTarget.getBoundingClientRect();
  const style = event.currentTarget.style;
  style.setProperty("--light-x", `${((event.clientX - box.left) / box.width) * 100}%`);
  style.setProperty("--light-y", `${((event.clientY - box.top) / box.height) * 100}%`);
}

export interface CardProps {
  cardnumber: number;
  name: string;
  state?: CardState;
  /** A word on what the card is: « Carte personnelle », « Carte pro ». */
  kind?: string;
  /** e.g. « 12/27 ». */
  validUntil?: string;
  /** The QR code, or a button that shows it. */
  slot?: ReactNode;
  size?: "full" | "thumbnail";
}

/** The card of a number; its state is said in words and never by colour alone. */
export function Card({
  cardnumber,
  name,
  state = "active",
  kind = "Carte personnelle",
  validUntil,
  slot,
  size = "full",
}: CardProps) {
  const motif = useMemo(() => motifOf(cardnumber, size === "full" ? 9 : 5), [cardnumber, size]);
  const away = state !== "active";
  return (
    <article
      className="card"
      data-state={state}
      data-ink={motif.ink}
      data-size={size}
      aria-label={`${kind} ${ofName(name)}`}
      onPointerMove={light}
    >
      <svg
        className="card-motif"
        viewBox="0 0 856 540"
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
      >
        <g className="card-ribbon">
          {motif.ribbon.map((curve) => (
            <path key={curve} d={curve} />
          ))}
        </g>
        <g className="card-rosette">
          {motif.rosette.map((curve) => (
            <path key={curve} d={curve} />
          ))}
        </g>
      </svg>
      <span className="card-light" aria-hidden="true" />
      <div className="card-face">
        <div className="card-top">
          <p className="card-brand">Ma carte</p>
          <p className="card-kind">{kind}</p>
        </div>
        {away && (
          <p className="card-state">
            <Icon name={icons[state] ?? "clock"} size={20} />
            Carte {cardStateNames[state].toLowerCase()}
          </p>
        )}
        <div className="card-bottom">
          <div className="card-who">
            <p className="card-number">{formatCardnumber(cardnumber)}</p>
            <p className="card-name">
              {name}
              {validUntil && <span>expire le {validUntil}</span>}
            </p>
          </div>
          {slot && <div className="card-slot">{slot}</div>}
        </div>
      </div>
    </article>
  );
}
