// The files of docs/cluster, filled as an administrator fills them: the drill runs what the guide gives.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "..", "..", "docs", "cluster");

export type Values = Readonly<Record<string, string>>;

/** The lines `NAME=value` of a text; quotes around a value are the shell's. */
export function readLines(text: string): Record<string, string> {
  const lines = text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, unquoted(value as string)]));
}

const unquoted = (value: string) => value.trim().replace(/^"(.*)"$/, "$1");

/** machine.env with other values for some of its names; a name that it lacks is a mistake. */
export async function machineValues(others: Values): Promise<Values> {
  const own = readLines(await readFile(join(folder, "machine.env"), "utf8"));
  const strange = Object.keys(others).filter((name) => own[name] === undefined);
  if (strange.length > 0) throw new Error(`machine.env has no ${strange.join(", ")}`);
  return { ...own, ...others };
}

/** A file of docs/cluster with its `${NAME}`s filled. */
export async function filled(file: string, values: Values): Promise<string> {
  const text = await readFile(join(folder, file), "utf8");
  return text.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`machine.env has no ${name}, which ${file} asks for`);
    return value;
  });
}
