// What the command line prints, with what users wrote neutralised (process/printable.ts).
import { printable } from "#server/process/printable.ts";

/** Prints `text` on the standard output. */
export function print(text: string): void {
  console.log(printable(text));
}

/** Prints one line: an end of line inside it is written out, so that nobody adds a line of their own. */
export function printLine(line: string): void {
  print(line.replaceAll("\n", "\\n"));
}

/** Prints `text` on the error output. */
export function printError(text: string): void {
  console.error(printable(text));
}
