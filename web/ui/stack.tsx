// What stands below each other, and beside.
import type { HTMLAttributes, Ref } from "react";
import "./stack.css";

/** Between one thing and the next, in pixels. */
type Gap = 4 | 8 | 12 | 20 | 24;

/** What any element takes; its looks are the component’s. */
export type Attributes = Omit<HTMLAttributes<HTMLElement>, "className">;

/** Things below each other, as wide as there is room. */
export function Stack({
  as = "div",
  gap,
  ...rest
}: Attributes & {
  as?: "div" | "section" | "search" | "form" | "fieldset" | "ul" | "ol";
  gap?: Gap;
  ref?: Ref<HTMLElement>;
}) {
  // The elements differ by their name alone.
  const Element = as as "section";
  return <Element {...rest} className="stack" data-gap={gap} />;
}

/** Things side by side that go to the next line when they must, unless `wrap` is false. */
export function Row({
  as = "div",
  gap,
  spread,
  wrap,
  ...rest
}: Attributes & {
  as?: "div" | "span" | "li";
  gap?: 8;
  spread?: true;
  wrap?: false;
}) {
  const Element = as as "div";
  return <Element {...rest} className="row" data-gap={gap} data-spread={spread} data-wrap={wrap} />;
}
