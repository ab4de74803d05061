// The addresses of the bus screen: what is looked at lives in search parameters (spec.md 5).
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";

export const linePath = (line: number, direction = 0): string =>
  linkTo(paths.lines, {}, { line, direction: direction || undefined });

/** A stop, seen from a line when one came from there. */
export const stopPath = (stop: number, from?: { line: number; direction: number }): string =>
  linkTo(
    paths.lines,
    {},
    { ...(from && { line: from.line, direction: from.direction || undefined }), stop },
  );

/** Where the passes of a line group are sold. */
export const passesPath = (group: number): string => linkTo(paths.fares, { group });
