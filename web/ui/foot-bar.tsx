// The bar at the foot of a screen: what is chosen so far, and the button that acts on it.
import type { ReactNode } from "react";
import "./foot-bar.css";
import { Text } from "./text.tsx";

export const FootBar = ({
  summary,
  hint,
  children,
}: {
  /** « 7 repas, 10,15 € »; its changes are read aloud. */
  summary: ReactNode;
  hint?: ReactNode;
  /** The act. */
  children: ReactNode;
}) => (
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
  </div>
);
