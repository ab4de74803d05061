// That a screen goes on without network, in one line: what it means, and what waits to be sent, unfold under it.
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./offline-line.css";
import { Stack } from "./stack.tsx";

/** Whether the line is unfolded: state of the screen, since a network that comes and goes draws the line anew. */
export interface Folding {
  isUnfolded: boolean;
  onUnfolded: (isUnfolded: boolean) => void;
}

/** `words` is the line: « Hors ligne · 2 passages à envoyer ». */
export const OfflineLine = ({
  words,
  isUnfolded,
  onUnfolded,
  children,
}: Folding & { words: string; children: ReactNode }) => (
  <details
    className="offline-line"
    open={isUnfolded}
    onToggle={(event) => onUnfolded(event.currentTarget.open)}
  >
    <summary>
      <Icon name="wifiOff" size={20} />
      <span>{words}</span>
    </summary>
    <Stack gap={12}>{children}</Stack>
  </details>
);
