// The pictures of empty, lost, broken and finished states: the portal's own guilloche with the thing
// that it is about in the middle.
import { motifOf } from "#contract/motif.ts";
import "./picture.css";
import type { Tone } from "./banner.tsx";
import { Icon, type IconName } from "./icon.tsx";

export function Picture({
  icon,
  tone = "neutral",
  seed,
}: {
  icon: IconName;
  tone?: Tone | "neutral";
  /** Any whole number; by default each icon has its own drawing. */
  seed?: number;
}) {
  const number =
    seed ?? Array.from(icon).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);
  return (
    <div className="picture" data-tone={tone} aria-hidden="true">
      <svg viewBox="338 -6 560 536" className="picture-lines">
        {motifOf(number, 6).rosette.map((curve) => (
          <path key={curve} d={curve} />
        ))}
      </svg>
      <span className="picture-disc">
        <Icon name={icon} size={32} />
      </span>
    </div>
  );
}
