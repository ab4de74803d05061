// The places of a plan as they are pressed: one alone leads to its page, several at one spot are shown nearer.
import type { CSSProperties } from "react";
import { Link } from "#web/ui/link.tsx";
import type { Position } from "./position.ts";
import styles from "./plan-mark.module.css";

export interface PlanPlace {
  id: string;
  name: string;
  position: Position;
  /** Its page. */
  href: string;
  /** Said after its name: « ouvert ». */
  state?: string;
  /** Drawn full rather than hollow. */
  open?: boolean;
}

export function PlanMark({
  places,
  label,
  onPress,
  style,
  quiet,
}: {
  places: readonly PlanPlace[];
  /** What several of them are called, and what a press does. */
  label: string;
  /** Shows several of them nearer; null where nothing is nearer. */
  onPress: (() => void) | null;
  style?: CSSProperties;
  /** The plan itself draws the places: the mark shows under the pointer and the keyboard only. */
  quiet?: boolean;
}) {
  const [first] = places;
  const look = {
    className: styles.mark,
    style,
    "data-open": places.some((place) => place.open) || undefined,
    "data-quiet": quiet || undefined,
  };
  if (places.length === 1 && first) {
    return (
      <Link {...look} href={first.href} title={first.name} draggable={false}>
        <span className="unseen">{[first.name, first.state].filter(Boolean).join(", ")}</span>
      </Link>
    );
  }
  const count = <span aria-hidden="true">{places.length}</span>;
  if (onPress === null) {
    return (
      <span {...look} data-many>
        {count}
      </span>
    );
  }
  return (
    <button {...look} type="button" data-many aria-label={label} onClick={onPress}>
      {count}
    </button>
  );
}

/** The places that nothing sets apart on the plan. */
export const SameAddress = ({ places }: { places: readonly PlanPlace[] }) => (
  <ul className={styles.same} aria-label="À la même adresse">
    {places.map(({ id, name, href }) => (
      <li key={id}>
        <Link href={href}>{name}</Link>
      </li>
    ))}
  </ul>
);

/** The place of a plan that is loading, `height` for a width of 360. */
export const PlanWait = ({ height = 300 }: { height?: number }) => (
  <svg viewBox={`0 0 360 ${height}`} className={styles.wait} aria-hidden="true" />
);
