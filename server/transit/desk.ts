// The operator's side of the network: importing a feed, and what is there.
import { sql } from "kysely";
import { plural } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { openFeed } from "./feed-files.ts";
import { type Imported, importFeed, importUnderWay } from "./load.ts";
import { FeedRefused } from "./report.ts";

export interface TransitDesk extends Pick<Deps, "db" | "now"> {
  /** Hears of the progress of an import while it lasts. */
  tell: (line: string) => void;
}

interface Answer {
  ok: boolean;
  lines: string[];
}

/** A command of `npm run operator -- transit …`. */
export interface TransitCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  run(desk: TransitDesk, given: readonly string[], operator: string): Promise<Answer>;
}

export const transitCommands: readonly TransitCommand[] = [
  {
    name: "transit import",
    arguments: ["<fichier.zip|dossier>"],
    says: "met en place un réseau de bus (GTFS) ; refusé, l'ancien reste",
    run: (desk, [path = ""], operator) => importPath(desk, path, operator),
  },
  {
    name: "transit status",
    arguments: [],
    says: "montre le réseau de bus en place et les derniers imports",
    run: status,
  },
];

async function importPath(desk: TransitDesk, path: string, operator: string): Promise<Answer> {
  const began = desk.now();
  const keep = (refused: string | null, report: readonly string[]) =>
    sql`insert into transit_import (file, began_at, ended_at, refused, report, operator)
      values (${path}, ${began}, ${desk.now()}, ${refused}, ${JSON.stringify(report)}::jsonb,
        ${operator})`.execute(desk.db);
  try {
    const files = await openFeed(path);
    try {
      const done = await inTx(desk.db, (tx) =>
        importFeed(tx, { files, name: path, at: began, tell: desk.tell }),
      );
      const faults = done.report.lines();
      await keep(null, faults);
      return { ok: true, lines: [...faults, said(done)] };
    } finally {
      files.close();
    }
  } catch (error) {
    if (!(error instanceof FeedRefused)) throw error;
    const faults = error.report?.lines() ?? [];
    await keep(error.message, faults);
    const kept = "Rien n'a changé : le réseau en place reste celui d'avant.";
    return { ok: false, lines: [...faults, `Import refusé. ${error.message}`, kept] };
  }
}

function said({ counts, firstOn, lastOn }: Imported): string {
  const { lines, stops, trips, departures } = counts;
  const parts = [
    plural(lines, "ligne"),
    plural(stops, "arrêt"),
    plural(trips, "course"),
    plural(departures, "départ"),
  ];
  return `Réseau en place : ${parts.join(", ")}, du ${firstOn} au ${lastOn}.`;
}

interface Kept {
  file: string;
  ended_at: Date;
  refused: string | null;
  operator: string;
}

async function status({ db }: TransitDesk): Promise<Answer> {
  const lines: string[] = [];
  if (await inTx(db, importUnderWay)) lines.push("Un import est en cours.");
  const { rows: feeds } = await sql<{
    file: string;
    at: Date;
    first_on: string;
    last_on: string;
    counts: Imported["counts"];
  }>`select file, at, first_on, last_on, counts from transit_feed where current`.execute(db);
  const [feed] = feeds;
  if (feed) {
    const { counts, first_on: firstOn, last_on: lastOn } = feed;
    lines.push(said({ counts, firstOn, lastOn } as Imported));
    lines.push(`Venu de ${feed.file}, le ${feed.at.toISOString()}.`);
  } else lines.push("Aucun réseau de bus n'est en place.");
  const { rows } = await sql<Kept>`select file, ended_at, refused, operator from transit_import
    order by id desc limit 5`.execute(db);
  for (const { file, ended_at: ended, refused, operator } of rows) {
    lines.push(`${ended.toISOString()}  ${operator}  ${file}  ${refused ?? "mis en place"}`);
  }
  return { ok: feed !== undefined, lines };
}
