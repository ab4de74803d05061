// The bar at the foot of a screen: what is chosen so far, and the button that acts on it.
import { type ReactNode, use } from "react";
import { createPortal } from "react-dom";
import "./foot-bar.css";
import { PageFoot } from "./layout.tsx";
import { Text } from "./text.tsx";

/** Stands at the foot of its page, wherever in it the component is. */
export function FootBar({
  summary,
  hint,
  children,
}: {
  /** « 7 repas, 10,15 € »; its changes are read aloud. */
  summary: ReactNode;
  hint?: ReactNode;
  /** The act. */
  children: ReactNode;
}) {
  const foot = use(PageFoot);
  return (
    foot &&
    createPortal(
      <div className="foot-bar">
        <output className="foot-bar-words">
          {summary}
          {hint && (
            <Text as="span" tone="soft" size="small">
              {hint}
            </Text>
          )}
        </output>
        {children}
      </div>,
      foot,
    )
  );
}
