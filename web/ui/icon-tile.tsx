// The icon at the head of a line or of a small card, on a square of its tone.
import "./banner.css";
import "./icon-tile.css";
import type { Tone } from "./banner.tsx";
import { Icon, type IconName } from "./icon.tsx";

export const IconTile = ({ icon, tone = "info" }: { icon: IconName; tone?: Tone | "neutral" }) => (
  <span className="icon-tile" data-tone={tone}>
    <Icon name={icon} />
  </span>
);
