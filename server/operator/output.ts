// Output of the command line, with text written by users neutralised (process/printable.ts).
import { printable } from "#server/process/printable.ts";

/** Prints `text` on the standard output. */
export function print(text: string): void {
  console.log(printable(text));
}

/** Prints one line: a line break inside it is escaped, so that no user text can add a line. */
export function printLine(line: string): void {
  print(line.replaceAll("\n", "\\n"));
}

/** Prints `text` on the error output. */
export function printError(text: string): void {
  console.error(printable(text));
}
