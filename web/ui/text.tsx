// Words that are told from those around them: softer, smaller, stronger.
import type { HTMLAttributes } from "react";
import "./text.css";

export function Text({
  as = "p",
  tone,
  size,
  weight,
  numeric,
  breakWord,
  noWrap,
  ...rest
}: Omit<HTMLAttributes<HTMLElement>, "className"> & {
  as?: "p" | "span" | "strong" | "s" | "output" | "figcaption" | "h2" | "h3" | "li" | "ul";
  tone?: "soft" | undefined;
  /** `fine` is a little smaller than what is read, `small` the smallest. */
  size?: "small" | "fine" | "large";
  weight?: "normal" | "strong";
  /** Figures of one width, for what stands in columns or changes in place. */
  numeric?: true;
  /** A name or an address that may be one long word. */
  breakWord?: true;
  noWrap?: true;
}) {
  // The elements differ by their name alone.
  const Element = as as "p";
  return (
    <Element
      {...rest}
      className="text"
      data-tone={tone}
      data-size={size}
      data-weight={weight}
      data-numeric={numeric}
      data-break-word={breakWord}
      data-no-wrap={noWrap}
    />
  );
}
