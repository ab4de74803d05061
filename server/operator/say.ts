// What the command line prints, with what users wrote neutralised (process/printable.ts).
import { printable } from "#server/process/printable.ts";

/** Prints `text` on the standard output. */
export function say(text: string): void {
  console.log(printable(text));
}

/** Prints one line: an end of line inside it is written out, so that nobody adds a line of their own. */
export function sayLine(line: string): void {
  say(line.replaceAll("\n", "\\n"));
}

/** Prints `text` on the error output. */
export function complain(text: string): void {
  console.error(printable(text));
}
