// Operator commands of the bus network: import a GTFS feed, show its state.
import { sql } from "kysely";
import { formatDate, formatDateTime, plural } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { openFeed } from "./feed-files.ts";
import { type Imported, importFeed, importUnderWay } from "./import-feed.ts";
import { FeedRefused } from "./report.ts";
import type { CommandResult, OperatorCommand, OperatorDeps } from "#server/process/room.ts";

/** Commands `npm run operator -- transit …`. */
export const transitCommands: readonly OperatorCommand[] = [
  {
    name: "transit import",
    arguments: ["<fichier.zip|dossier>"],
    says: "met en place un réseau de bus (GTFS) ; refusé, l'ancien reste",
    run: (deps, [path = ""], operator) => importPath(deps, path, operator),
  },
  {
    name: "transit status",
    arguments: [],
    says: "montre le réseau de bus en place et les derniers imports",
    run: status,
  },
];

async function importPath(
  deps: OperatorDeps,
  path: string,
  operator: string,
): Promise<CommandResult> {
  const began = deps.now();
  const keep = (refused: string | null, report: readonly string[]) =>
    sql`insert into transit_import (file, began_at, ended_at, refused, report, operator)
      values (${path}, ${began}, ${deps.now()}, ${refused}, ${JSON.stringify(report)}::jsonb,
        ${operator})`.execute(deps.db);
  try {
    const files = await openFeed(path);
    try {
      const done = await inTx(deps.db, (tx) =>
        importFeed(tx, { files, name: path, at: began, progress: deps.progress }),
      );
      const faults = done.report.lines();
      await keep(null, faults);
      return { ok: true, lines: [...faults, importSummary(done)] };
    } finally {
      files.close();
    }
  } catch (error) {
    if (!(error instanceof FeedRefused)) throw error;
    const faults = error.report?.lines() ?? [];
    await keep(error.message, faults);
    const unchanged = "Rien n'a changé : le réseau en place reste celui d'avant.";
    return { ok: false, lines: [...faults, `Import refusé. ${error.message}`, unchanged] };
  }
}

function importSummary({ counts, firstOn, lastOn }: Imported): string {
  const { lines, stops, trips, departures } = counts;
  const parts = [
    plural(lines, "ligne"),
    plural(stops, "arrêt"),
    plural(trips, "course"),
    plural(departures, "départ"),
  ];
  return `Réseau en place : ${parts.join(", ")}, du ${formatDate(firstOn)} au ${formatDate(lastOn)}.`;
}

interface ImportRow {
  file: string;
  endedAt: Date;
  refused: string | null;
  operator: string;
}

async function status({ db }: OperatorDeps): Promise<CommandResult> {
  const lines: string[] = [];
  if (await inTx(db, importUnderWay)) lines.push("Un import est en cours.");
  const feed = await query(db).maybeOne(
    sql<{
      file: string;
      at: Date;
      firstOn: string;
      lastOn: string;
      counts: Imported["counts"];
    }>`select file, at, first_on, last_on, counts from transit_feed where current`,
  );
  if (feed) {
    const { counts, firstOn, lastOn } = feed;
    lines.push(importSummary({ counts, firstOn, lastOn } as Imported));
    lines.push(`Venu de ${feed.file}, le ${formatDateTime(feed.at)}.`);
  } else lines.push("Aucun réseau de bus n'est en place.");
  const { rows } = await sql<ImportRow>`select file, ended_at, refused, operator from transit_import
    order by id desc limit 5`.execute(db);
  for (const { file, endedAt: ended, refused, operator } of rows) {
    lines.push(`${formatDateTime(ended)}  ${operator}  ${file}  ${refused ?? "mis en place"}`);
  }
  return { ok: feed !== null, lines };
}
