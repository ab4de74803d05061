// A line that unfolds what is under it.
import { type ReactNode, useId } from "react";
import "./disclosure.css";
import { Icon } from "./icon.tsx";

/**
 * A heading whose button shows and hides `children`. The caller holds whether it is open, so that it can
 * outlive the screen. `summary` is the button's name: words and figures, no other control.
 */
export function Disclosure({
  heading: Heading = "h2",
  summary,
  isOpen,
  onOpen,
  children,
}: {
  heading?: "h2" | "h3";
  summary: ReactNode;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="disclosure" data-open={isOpen || undefined}>
      <Heading className="disclosure-heading">
        <button
          type="button"
          className="disclosure-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => onOpen(!isOpen)}
        >
          <span className="disclosure-summary">{summary}</span>
          <Icon name="down" size={20} />
        </button>
      </Heading>
      <div id={id} className="disclosure-panel" inert={!isOpen}>
        <div className="disclosure-content">{children}</div>
      </div>
    </div>
  );
}
