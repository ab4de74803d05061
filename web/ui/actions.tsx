import "./actions.css";
import type { Attributes } from "./stack.tsx";

/**
 * Buttons side by side, on as many lines as they need; nothing where there is none. `wide` gives each its own
 * line on a phone.
 */
export function Actions({
  gap,
  align,
  wide,
  ...rest
}: Attributes & {
  gap?: 4 | 8;
  align?: "end";
  wide?: true;
}) {
  return <div {...rest} className="actions" data-gap={gap} data-align={align} data-wide={wide} />;
}
