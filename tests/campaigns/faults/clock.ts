// The server's clock jumps: an hour on, an hour back, over both changes of summer time, a leap day and a
// new year, and home again, each jump in the middle of transfers. The order of the journal, keys, locks
// and expiries must not care. Here alone the server runs within this process, on a clock of ours.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { parisDay } from "#contract/days.ts";
import { buildApp } from "#server/process/app.ts";
import { loadConfig } from "#server/process/config.ts";
import { inTx, openDb } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { makeEnqueue, runJobsOnce } from "#server/process/jobs.ts";
import { openRootKeys } from "#server/identity/identity.ts";
import { makeSend } from "#server/notifications/notifications.ts";
import { grant, walletTasks } from "#server/wallet/wallet.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { removeData } from "#tests/scratch.ts";
import { testRootKey } from "#tests/server-process.ts";
import type { Campaign } from "./campaign.ts";
import { startDatabase } from "./data-folder.ts";
import { broken } from "./load.ts";
import { type Answer, callAt } from "./portal-process.ts";

const hour = 3_600_000;
/** Where the clock goes, one after the other; null is back to the real time. */
const jumps: readonly (readonly [string, (now: number) => number | null])[] = [
  ["an hour on", (now) => now + hour],
  ["an hour back", (now) => now - hour],
  ["two hours back", (now) => now - 2 * hour],
  ["summer time begins", () => Date.parse("2027-03-28T00:59:58Z")],
  ["summer time ends", () => Date.parse("2027-10-31T00:59:58Z")],
  ["the eve of a leap day", () => Date.parse("2028-02-28T22:59:58Z")],
  ["the end of a leap day", () => Date.parse("2028-02-29T22:59:58Z")],
  ["a new year", () => Date.parse("2028-12-31T22:59:58Z")],
  ["home again", () => null],
];
/** Last days of the aids given beforehand; an aid lives its last day to the end, in Paris. */
const lastDays = ["2027-03-27", "2027-03-28", "2027-10-31", "2028-02-28", "2028-02-29"];
const aidCents = 250;

export const clock: Campaign = {
  name: "clock",
  says: "the clock jumps on and back under load: order, keys, locks and expiries do not care",
  sizes: { transfers: { full: 200, quick: 20 } },
  async run({ folder, size, progress }) {
    const { transfers = 1 } = size;
    const shifted = await openShiftedServer(folder);
    try {
      const lost: string[] = [];
      const made: Made[] = [];
      // What expired on the latest day that was reached stays so when the clock goes back.
      let latestDay = "";
      await giveAids(shifted.deps);
      for (const [name, to] of jumps) {
        progress(name);
        const before = await shifted.login();
        const ends = Array.from({ length: transfers / 2 }, () => transfer(shifted, before));
        shifted.set(to(Date.now()));
        const after = await shifted.login();
        ends.push(...Array.from({ length: transfers / 2 }, () => transfer(shifted, after)));
        const sent = await Promise.all(ends);
        // A session of before may have ended by the jump: a refusal, and then nothing moved.
        made.push(...sent.filter(({ answer }) => answer.status === 201));
        lost.push(...strange(sent).map((what) => `${name}: ${what}`));
        lost.push(...(await replayed(shifted, after, made)).map((what) => `${name}: ${what}`));
        await Promise.all([runJobsOnce(shifted.deps), runJobsOnce(shifted.deps)]);
        const day = await expireTwice(shifted.deps);
        latestDay = day > latestDay ? day : latestDay;
        const aids = await wrongAids(shifted.deps, latestDay);
        lost.push(...aids.map((what) => `${name}, ${day}: ${what}`));
        lost.push(...(await disordered(shifted, after, made)).map((what) => `${name}: ${what}`));
        lost.push(...(await lockHolds(shifted)).map((what) => `${name}: ${what}`));
        lost.push(...(await broken(shifted.deps)).map((what) => `${name}: ${what}`));
      }
      const did = `${jumps.length} jumps, ${made.length} transfers in order, each key once`;
      return { did: `${did}, ${lastDays.length} aids expired on their day`, lost };
    } finally {
      await shifted.close();
    }
  },
};

interface ShiftedServer {
  deps: Deps;
  call: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  login(): Promise<Record<string, string>>;
  /** Puts the clock to an instant, or back to the real one. */
  set(to: number | null): void;
  wallet: string;
  close(): Promise<void>;
}

async function openShiftedServer(folder: string): Promise<ShiftedServer> {
  const database = await startDatabase(`${folder}/database`);
  const connection = openDb(database.url, { max: 10 });
  let shiftMs = 0;
  const now = () => new Date(Date.now() + shiftMs);
  const enqueue = makeEnqueue();
  const settings = { DEMO: "1", PAYMENTS: "sandbox", WRITES_PER_MINUTE: "1000000" };
  const config = loadConfig({ ...settings, DATABASE_URL: database.url });
  const send = makeSend({ enqueue, now });
  const log = pino({ level: "silent" });
  const deps: Deps = { db: connection.db, pool: connection.pool, now, send, enqueue, config, log };
  await openRootKeys(deps.db, { ...config, rootKey: testRootKey });
  const app = await buildApp(deps);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const call = callAt(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  const login = async () => {
    const { cardnumber } = cast.guardian;
    const answer = await call("/api/login", { login: cardnumber, password: castPassword });
    const { jeton } = (answer.body["token"] ?? {}) as { jeton?: string };
    if (!jeton) throw new Error(`nobody can log in: ${JSON.stringify(answer)}`);
    return { authorization: `Bearer ${jeton}` };
  };
  const path = `/api/wallets?cardnumber=${cast.guardian.cardnumber}`;
  const { body } = await call(path, undefined, await login());
  const [main] = body["items"] as { objectID: string }[];
  return {
    deps,
    call,
    login,
    wallet: main?.objectID ?? "",
    set(to) {
      shiftMs = to === null ? 0 : to - Date.now();
    },
    async close() {
      await app.close();
      await connection.close();
      await database.stop();
      await removeData(`${folder}/database`);
    },
  };
}

// ---- transfers and their keys

interface Made {
  key: string;
  answer: Answer;
}

async function transfer(
  shifted: ShiftedServer,
  bearer: Record<string, string>,
  key: string = randomUUID(),
) {
  const body = {
    fromWallet: shifted.wallet,
    toCardnumber: cast.child.cardnumber,
    amountCents: 1,
    repeat: true,
  };
  const headers = { ...bearer, "idempotency-key": key };
  return { key, answer: await shifted.call("/api/transfers", body, headers) };
}

const strange = (sent: readonly Made[]) =>
  sent
    .filter(({ answer }) => answer.status !== 201 && answer.status !== 401)
    .map(({ answer }) => `a transfer was answered ${answer.status} ${JSON.stringify(answer.body)}`)
    .slice(0, 2);

/** Keys of every time so far answer what they answered first. */
async function replayed(
  shifted: ShiftedServer,
  bearer: Record<string, string>,
  made: readonly Made[],
) {
  const step = Math.max(1, Math.floor(made.length / 20));
  const sample = made.filter((_, index) => index % step === 0);
  const again = await Promise.all(sample.map(({ key }) => transfer(shifted, bearer, key)));
  const wrong = again.filter(
    ({ answer }, index) => answer.body["id"] !== sample[index]?.answer.body["id"],
  );
  return wrong.length > 0 ? [`${wrong.length} keys did something a second time`] : [];
}

// ---- the order of what is shown

/** The movements, page by page: every one once, newest first by number, whatever their times say. */
async function disordered(
  shifted: ShiftedServer,
  bearer: Record<string, string>,
  made: readonly Made[],
) {
  const ids: number[] = [];
  for (let before = ""; ;) {
    const path = `/api/wallets/${shifted.wallet}/movements?limit=100${before}`;
    const { status, body } = await shifted.call(path, undefined, bearer);
    const items = (body["items"] ?? []) as { id: number; kind: string }[];
    if (status !== 200) return [`movements were answered ${status}`];
    ids.push(...items.filter(({ kind }) => kind === "transfer_out").map(({ id }) => id));
    const next = body["next"] as number | null;
    if (next === null) break;
    before = `&before=${next}`;
  }
  const wrong: string[] = [];
  if (ids.some((id, index) => index > 0 && id >= (ids[index - 1] as number))) {
    wrong.push("movements are not in the order of the journal");
  }
  if (ids.length !== made.length)
    wrong.push(`${ids.length} movements for ${made.length} transfers`);
  return wrong;
}

// ---- aids that expire

async function giveAids(deps: Deps): Promise<void> {
  await inTx(deps.db, async (tx) => {
    const { id } = await tx
      .selectFrom("wallet as w")
      .innerJoin("card as c", "c.personId", "w.personId")
      .select("w.id")
      .where("c.number", "=", cast.secondChild.cardnumber)
      .executeTakeFirstOrThrow();
    for (const expiresOn of lastDays) {
      const label = `Aide ${expiresOn}`;
      const [key, at] = [`aid:${expiresOn}`, deps.now()];
      await grant(tx, { walletId: id, amountCents: aidCents, label, expiresOn, key, at });
    }
  });
}

/** Two processes look for expired aids at once; gives the day of it, whole even over midnight. */
async function expireTwice(deps: Deps): Promise<string> {
  for (;;) {
    const day = parisDay(deps.now());
    const { expire_lots: expire } = walletTasks(deps);
    await Promise.all([expire(), expire()]);
    if (parisDay(deps.now()) === day) return day;
  }
}

async function wrongAids(deps: Deps, latestDay: string): Promise<string[]> {
  const { rows } = await deps.pool.query<{ day: string; left: number; times: number }>(
    `select l.expires_on::text as day, a.balance as left,
       (select count(*)::int from transfer t where t.debit_account = a.id and t.kind = 'expiry') as times
     from wallet_lot l join ledger_account a on a.id = l.account_id
    where l.label = 'Aide ' || l.expires_on`,
  );
  const wrong = rows.filter(({ day, left, times }) =>
    day < latestDay ? times !== 1 || left !== 0 : times !== 0 || left !== aidCents,
  );
  return wrong.map(({ day, left, times }) => `aid of ${day}: ${left} left, expired ${times} times`);
}

// ---- a card locked by wrong passwords

/** Going back in time opens no lock early, and going on opens it after exactly its seconds. */
async function lockHolds(shifted: ShiftedServer): Promise<string[]> {
  const { cardnumber } = cast.stranger;
  const attempt = async (password: string) =>
    await shifted.call("/api/login", { login: cardnumber, password });
  const start = shifted.deps.now().getTime();
  let locked: Answer | undefined;
  for (let tries = 0; tries < 12 && locked?.status !== 429; tries++) {
    locked = await attempt("un mauvais mot de passe");
  }
  const seconds = Number((locked?.body["details"] as { seconds?: number } | undefined)?.seconds);
  if (locked?.status !== 429 || !(seconds > 0)) return ["wrong passwords lock nothing"];
  const wrong: string[] = [];
  const lockedAt = shifted.deps.now().getTime();
  shifted.set(lockedAt - hour);
  if ((await attempt(castPassword)).status !== 429) wrong.push("an hour back opened a lock");
  shifted.set(lockedAt + (seconds + 2) * 1000);
  const { status } = await attempt(castPassword);
  if (status !== 200) wrong.push(`a lock of ${seconds} s still holds after them (${status})`);
  shifted.set(start + 2000);
  return wrong;
}
