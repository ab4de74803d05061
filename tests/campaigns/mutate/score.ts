// The result of a part of the mutation run, and the survivors that were read.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "#tests/campaigns/supply/step.ts";

/** A survivor that was read: its line, the text that it replaces, by what, why nothing can notice. */
export interface Explained {
  file: string;
  line: string;
  was: string;
  becomes: string;
  why: string;
}

export interface Score {
  killed: number;
  explained: number;
  /** One text each, with its place. */
  survivors: string[];
  /** Further lines below them. */
  notes?: readonly string[];
}

/** A part of the run; a string is the reason why it could not be done. */
export interface Part {
  name: string;
  mutate(known: readonly Explained[], endsAt: number): Promise<Score | string>;
}

export const readSource = (path: string): Promise<string> => readFile(join(root, path), "utf8");
