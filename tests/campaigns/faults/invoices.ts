// Sixteen writers in four processes issue invoices, some undone, while processes are killed and begin their
// share again: every subject has one document, and the numbers of the year have no gap and no double.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type OpenDb, openDb } from "#server/db/db.ts";
import { type Campaign, dice } from "./campaign.ts";
import { startDatabase } from "./data-folder.ts";

const processes = 4;
const writer = fileURLToPath(new URL("./invoice-writer.ts", import.meta.url));

export const invoices: Campaign = {
  name: "invoices",
  says: "kill -9 of writers that issue invoices: one document each, numbers without gap or double",
  sizes: { invoices: { full: 1000, quick: 120 }, kills: { full: 24, quick: 3 } },
  async run({ folder, size, seed, progress }) {
    const { invoices: count = 1, kills = 0 } = size;
    const database = await startDatabase(`${folder}/database`);
    try {
      const open = openDb(database.url, { max: 2 });
      try {
        const { rows } = await open.pool.query<{ id: string }>("select id from company limit 1");
        const company = rows[0]?.id ?? "";
        const killed = await underKills({
          url: database.url,
          company,
          count,
          kills,
          open,
          seed,
          progress,
        });
        const did = `${count} invoices by ${processes * 4} writers, ${killed} processes killed`;
        return { did, lost: await wrong(open, count) };
      } finally {
        await open.close();
      }
    } finally {
      await database.stop();
    }
  },
};

interface Run {
  url: string;
  company: string;
  count: number;
  kills: number;
  open: OpenDb;
  seed: number;
  progress: (text: string) => void;
}

/** Starts the writers and kills one at a time as the work advances; answers how many were killed. */
async function underKills({
  url,
  company,
  count,
  kills,
  open,
  seed,
  progress,
}: Run): Promise<number> {
  const chance = dice(seed);
  const share = Math.ceil(count / processes);
  const start = (place: number): ChildProcess => {
    const range = [place * share, Math.min(count, (place + 1) * share)].map(String);
    return spawn(process.execPath, [writer, url, company, ...range], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  };
  const writers = Array.from({ length: processes }, (_, place) => start(place));
  let killed = 0;
  try {
    while (killed < kills) {
      // The next one dies once its part of the work is done.
      await until(open, (count * (killed + 0.5)) / (kills + 1));
      const place = Math.floor(chance() * processes);
      const victim = writers[place] as ChildProcess;
      if (victim.exitCode === null) {
        victim.kill("SIGKILL");
        await once(victim, "exit");
      }
      killed += 1;
      progress(`${killed}/${kills} killed`);
      writers[place] = start(place);
    }
    const ends = await Promise.all(writers.map(endOf));
    if (ends.some((code) => code !== 0)) throw new Error(`writers ended with ${ends.join(", ")}`);
    return killed;
  } finally {
    for (const one of writers) if (one.exitCode === null) one.kill("SIGKILL");
  }
}

const endOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
};

async function until({ pool }: OpenDb, issued: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      "select count(*)::int as count from invoice",
    );
    if ((rows[0]?.count ?? 0) >= issued) return;
    await sleep(10);
  }
}

/** The faults of the numbers, a line each. */
async function wrong({ pool }: OpenDb, count: number): Promise<string[]> {
  const { rows } = await pool.query<
    Record<"documents" | "subjects" | "numbers" | "last" | "first" | "counter", number>
  >(
    `select count(*)::int as documents, count(distinct subject_id)::int as subjects,
       count(distinct sequence)::int as numbers, max(sequence) as last, min(sequence) as first,
       (select last from invoice_counter where series = 'F' and year = 2026) as counter
     from invoice where series = 'F' and year = 2026`,
  );
  const found = rows[0];
  if (!found) return ["nothing was read"];
  return Object.entries(found).flatMap(([what, value]) =>
    value === (what === "first" ? 1 : count) ? [] : [`${what}: ${value}, not ${count}`],
  );
}
