// The JSON file that an operator's command reads. Its faults are reported together, and nothing is written
// while it has one.
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { plural } from "#contract/french.ts";
import { decodeText } from "#server/http/csv-reader.ts";
import { faultOf } from "#server/http/input-faults.ts";
import type { CommandResult } from "./room.ts";

const maxLines = 20;

/** The file has faults: the transaction is rolled back and they are shown to the operator. */
export class FileRefused extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super("the file is refused");
    this.lines = lines;
  }
}

/** Reads a JSON file; throws `FileRefused` for one that is missing or no JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch(() => {
    throw new FileRefused([`Le fichier ${path} ne se lit pas.`]);
  });
  const file = decodeText(bytes);
  if (!file)
    throw new FileRefused(["L'encodage du fichier est inconnu : enregistrez-le en UTF-8."]);
  try {
    return JSON.parse(file.text);
  } catch (error) {
    throw new FileRefused([`Ce n'est pas du JSON : ${(error as Error).message}`]);
  }
}

/** The valid items of a list; the faults of the others, by their position, go into `faults`. */
export function itemsIn<T extends z.ZodMiniType>(
  { name, type }: { name: string; type: T },
  items: readonly unknown[],
  faults: string[],
): z.output<T>[] {
  return items.flatMap((one, index) => {
    const parsed = z.safeParse(type, one);
    if (parsed.success) return [parsed.data];
    for (const issue of parsed.error.issues) {
      const at = issue.path.join(".") || "ligne";
      faults.push(`${name} n° ${index + 1}, ${at} : ${faultOf(issue, one)}`);
    }
    return [];
  });
}

/** The lines that `work` gives, or the faults of a refused file. */
export async function fileResult(work: () => Promise<readonly string[]>): Promise<CommandResult> {
  try {
    return { ok: true, lines: await work() };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const more = error.lines.length - maxLines;
    return {
      ok: false,
      lines: [
        ...error.lines.slice(0, maxLines),
        ...(more > 0 ? [`… et ${plural(more, "autre défaut", "autres défauts")}.`] : []),
        "Rien n'a été écrit.",
      ],
    };
  }
}
