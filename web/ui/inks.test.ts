// The style sheet and the pictures drawn elsewhere (canvas, PDF) have the same four inks.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inkColours } from "#contract/motif.ts";

test.each(Object.entries(inkColours))("%s has the colours of the contract", (ink, colours) => {
  const css = readFileSync(`${import.meta.dirname}/inks.css`, "utf8");
  const rule = ink === "lagoon" ? "[data-ink] {" : `[data-ink="${ink}"] {`;
  const [body = ""] = css.slice(css.indexOf(rule) + rule.length).split("}");
  const read = (name: string) => new RegExp(`--${name}: (#\\w+);`).exec(body)?.[1];
  expect({ from: read("ink-a"), to: read("ink-b"), thread: read("thread") }).toEqual(colours);
});
