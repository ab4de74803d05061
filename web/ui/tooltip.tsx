// A short explanation on hover and focus. Never the only place where something is said.
import { type ReactNode, useId, useState } from "react";
import "./popup.css";

/**
 * `children` gets the id that describes it and puts it on its control. The tip stays while the
 * pointer is on it and goes with Escape (WCAG 1.4.13).
 */
export function Tooltip({
  tip,
  children,
}: {
  tip: ReactNode;
  children: (described: { "aria-describedby": string }) => ReactNode;
}) {
  const id = useId();
  const [dismissed, setDismissed] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the control inside is what acts
    <span
      className="tip-place"
      data-dismissed={dismissed || undefined}
      onPointerEnter={() => setDismissed(false)}
      onFocus={() => setDismissed(false)}
      onKeyDown={(event) => event.key === "Escape" && setDismissed(true)}
    >
      {children({ "aria-describedby": id })}
      <span className="tip" role="tooltip" id={id}>
        {tip}
      </span>
    </span>
  );
}
