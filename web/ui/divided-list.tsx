import "./divided-list.css";
import type { Attributes } from "./stack.tsx";

/** A list with a line between one `li` and the next. */
export function DividedList({
  as: Element = "ul",
  gap,
  ...rest
}: Attributes & { as?: "ul" | "ol"; gap?: 4 }) {
  return <Element {...rest} className="divided-list" data-gap={gap} />;
}
