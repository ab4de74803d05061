// The state of the counter on this device: the day's list, the last reading, and what follows from it. It
// decides by the list and asks the server beside, for 1.5 s at most (spec.md 16).
import { api } from "#contract/api.ts";
import {
  type CounterPerson,
  type CounterMatch,
  type Scan,
  type ScanView,
  type Verdict,
  verdictOf,
} from "#contract/meal-service/counter.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { codeKinds, type CodeKind } from "#contract/signed-codes/kinds.ts";
import { call } from "#web/app/transport/api.ts";
import { connectivity } from "#web/app/transport/connectivity.ts";
import { observed } from "#web/app/transport/observed.ts";
import { counterList } from "#web/app/shared/counter-list.ts";
import { readCode } from "#web/signed-codes/read-code.ts";
import { sealed } from "#web/app/transport/session.ts";
import { signal } from "#web/signed-codes/verdict-signal.ts";
import { hasAllergenAtTable, toneOf } from "./verdict-tones.ts";
import { type StoredScan, storeScan, storedScans, sendScans } from "./scan-queue.ts";

/** The state of the last reading, as the counter shows it. */
export interface CounterReading {
  /** The canteen of the list that it was read by. */
  canteen: string;
  scan: Scan;
  verdict: Verdict;
  person: CounterPerson | null;
  /** What the code is of, by its mark, when it is not a card's. */
  mark: OtherMark | null;
  /** The day (ISO) for which a meal was ordered whose code was read; null for whatever else was. */
  orderDay: string | null;
  /** When the meal was served before, where it was. */
  servedAt: string | null;
  /** The server is being asked whether it knows better. */
  asking: boolean;
  /** Nothing is recorded yet: the desk decides first whether the meal is handed. */
  isUnconfirmed: boolean;
}

/** Verdicts on whom a meal may still be handed to, without an order. */
const walkInVerdicts: readonly Verdict[] = ["no_order", "other_day", "unregistered"];

/** Whether whoever was read may be handed a meal without an order. */
export const canWalkIn = ({ verdict }: CounterReading): boolean => walkInVerdicts.includes(verdict);

/** Whether a reading waits for the server, or for the desk to choose what becomes of it. */
export const asksForDecision = (reading: CounterReading): boolean =>
  reading.asking ||
  reading.isUnconfirmed ||
  reading.verdict === "to_validate" ||
  canWalkIn(reading);

export const dayList = observed<DayList | null>(null);
export const currentReading = observed<CounterReading | null>(null);

/** How a person was looked for. */
export type Lookup = { registration: string } | { number: number } | { token: string };

const owner = counterList;

/** A list that an earlier version of the portal stored has no dishes, and does not tell when it serves. */
type StoredList = Omit<DayList, Since> & Partial<Pick<DayList, Since>>;
type Since = "dishes" | "closedWhy" | "serviceDays";

/** Opens the list that this device stored for today, if there is one. */
export async function openStoredList(): Promise<void> {
  const stored = (await sealed.get(counterList, owner)) as StoredList | null;
  if (stored?.day === parisDay(new Date())) {
    const { dishes = [], closedWhy = null } = stored;
    const { serviceDays = closedWhy === null ? [stored.day] : [] } = stored;
    dayList.set({ ...stored, dishes, closedWhy, serviceDays });
  }
}

/** Seats that are left for whoever has no order, without those that this device gave and has not sent. */
export function seatsLeft(list: DayList, scans: readonly StoredScan[]): number {
  const walkIns = scans.filter(
    ({ canteen, scan, sent }) =>
      !sent &&
      scan.walkIn &&
      !scan.undoneAt &&
      scan.day === list.day &&
      canteen === list.canteen.id,
  );
  return list.seatsLeft - walkIns.length;
}

/** Takes a fresh list and keeps it until the day is over; what waits to be sent stays done. */
export async function keepList(list: DayList): Promise<void> {
  const before = dayList.get();
  const isOther = before && (before.canteen.id !== list.canteen.id || before.day !== list.day);
  const done = unsentMeals(storedScans.get(), list.day);
  const people = list.people.map((person) => asDone(person, done.get(person.registration)));
  dayList.set({ ...list, people });
  // What was read at another canteen, or on another day, is not decided by this list.
  if (isOther) currentReading.set(null);
  else updateReading(people);
  const until = startOfDay(addDays(list.day, 1)).getTime();
  await sealed.put(counterList, owner, dayList.get(), until);
}

/** Whoever was read is shown as the list knows them: an allergen may have been declared since. */
function updateReading(people: readonly CounterPerson[]): void {
  const reading = currentReading.get();
  const person = people.find(({ registration }) => registration === reading?.scan.registration);
  if (!reading || !person) return;
  // A question about an allergen keeps it until it is answered.
  if (reading.isUnconfirmed && !hasAllergenAtTable(person)) return;
  const tone = toneOf(reading.verdict, person);
  const isOtherTone = tone !== toneOf(reading.verdict, reading.person);
  currentReading.set({ ...reading, person });
  if (isOtherTone) signal(tone);
}

/** The last meal of a day that this device served to each registration and has not sent; `scans` is newest first. */
export const unsentMeals = (
  scans: readonly StoredScan[],
  day: string,
): ReadonlyMap<string | undefined, Scan> =>
  new Map(
    scans
      .filter(({ scan, sent }) => !sent && scan.day === day && !scan.undoneAt && isServed(scan))
      .toReversed()
      .map(({ scan }) => [scan.registration, scan]),
  );

/** A person as this device left them, where the server does not know it yet. */
const asDone = (person: CounterPerson, scan: Scan | undefined): CounterPerson =>
  scan ? { ...person, order: servedOrder(person, scan) } : person;

const servedOrder = ({ order }: CounterPerson, { id, at }: Scan): CounterPerson["order"] => ({
  ...(order ?? { id, number: 0 }),
  state: "served",
  servedAt: at,
});

export const isServed = ({ verdict, walkIn, validated }: Scan): boolean =>
  verdict === "served" || walkIn !== undefined || validated === true;

function keepPerson(person: CounterPerson): void {
  const list = dayList.get();
  if (!list) return;
  const known = list.people.some(({ registration }) => registration === person.registration);
  const people = known
    ? list.people.map((one) => (one.registration === person.registration ? person : one))
    : [...list.people, person];
  void keepList({ ...list, people });
}

type OtherMark = Exclude<CodeKind, "card" | "meal">;

interface Reading {
  verdict: Verdict;
  person: CounterPerson | null;
  found: CounterMatch;
  mark?: OtherMark | null;
  orderDay?: string;
}

const byList: CounterMatch = { how: "list" };
const byCard = (cardId: string | null | undefined): CounterMatch =>
  cardId ? { how: "card", cardId } : byList;

const markOf = (token: string): OtherMark | null =>
  (["ticket", "pass"] as const).find((kind) => token.startsWith(codeKinds[kind])) ?? null;

/**
 * Reads a card, a number or a line of the list: the verdict is there at once. A line of the list whose meal
 * holds an allergen of the person is shown first, and served once it is read again with `isConfirmed`.
 */
export async function read(sought: Lookup, { isConfirmed = false } = {}): Promise<void> {
  const list = dayList.get();
  if (!list) return;
  const here = await readHere(list, sought);
  const isUnconfirmed = !isConfirmed && needsConfirmation(here, sought);
  const better = connectivity.get() && mayKnowBetter(here, sought);
  const first = showReading(list, here, { asking: better, isUnconfirmed });
  signal(toneOf(here.verdict, here.person));
  if (isUnconfirmed) return;
  if (!better) return await keep(first);
  const there = await askServer(list, sought);
  if (there?.person && isInView(first)) keepPerson(there.person);
  if (!there || there.verdict === here.verdict) {
    show(first, { asking: false });
    return await keep(first);
  }
  if (currentReading.get()?.scan.id !== first.scan.id) return await keep(first);
  const { orderDay } = first;
  const second = showReading(list, orderDay ? { ...there, orderDay } : there);
  signal(toneOf(there.verdict, there.person));
  await keep(second);
}

/** A card is read of who stands there; a name may be pressed before anybody has looked at the plate. */
const needsConfirmation = ({ verdict, person }: Reading, sought: Lookup): boolean =>
  "registration" in sought && verdict === "served" && hasAllergenAtTable(person);

/** Only what the list does not tell is worth asking: an order of today is on it. */
const mayKnowBetter = ({ verdict }: Reading, sought: Lookup): boolean =>
  !("registration" in sought) && walkInVerdicts.includes(verdict);

async function readHere(list: DayList, sought: Lookup): Promise<Reading> {
  if ("registration" in sought) {
    const person = list.people.find(({ registration }) => registration === sought.registration);
    return toReading(list, person, byList);
  }
  if ("number" in sought) {
    const has = ({ cards }: CounterPerson) => cards.find(({ number }) => number === sought.number);
    const person = list.people.find(has);
    return toReading(list, person, byCard(person && has(person)?.id));
  }
  const kind = sought.token.startsWith(codeKinds.meal) ? "meal" : "card";
  const code = await readCode(sought.token, list.keys, { kind });
  if (code.is === "unverifiable") return toReading(list, undefined, byList);
  if (code.is === "forged") {
    return { verdict: "forged", person: null, found: byList, mark: markOf(sought.token) };
  }
  if (kind === "meal") return readOrder(list, code.id, parisDay(new Date(code.from * 1000)));
  const found = byCard(code.id);
  if (code.is === "late_code") return { verdict: "late_code", person: null, found };
  const person = list.people.find(({ cards }) => cards.some(({ id }) => id === code.id));
  return toReading(list, person, found);
}

/** The code of an order. One that is not on the list was cancelled, or is of another day. */
function readOrder(list: DayList, orderId: string, orderDay: string): Reading {
  const person = list.people.find(({ order }) => order?.id === orderId);
  const found: CounterMatch = { how: "order", orderId };
  if (person) return { ...toReading(list, person, found), orderDay };
  const verdict = orderDay === list.day ? "no_order" : "other_day";
  return { verdict, person: null, found, orderDay };
}

function toReading(list: DayList, person: CounterPerson | undefined, found: CounterMatch): Reading {
  if (!person) return { verdict: "unregistered", person: null, found };
  return { verdict: verdictOf(person, found, list.canteen), person, found };
}

type Answered = Output<typeof api.canteen.findAtCounter>;

async function askServer(list: DayList, sought: Lookup): Promise<Reading | null> {
  if ("registration" in sought) return null;
  const canteen = list.canteen.id;
  try {
    const answer: Answered = await call(
      api.canteen.findAtCounter,
      { canteen, ...sought },
      { quiet: true },
    );
    const { found, person, card, order } = answer;
    const by: CounterMatch = order ? { how: "order", orderId: order } : byCard(card);
    if (found !== "person") return { verdict: found, person: null, found: by };
    return toReading(list, person ?? undefined, by);
  } catch {
    // No answer in time: the device's own verdict stays.
    return null;
  }
}

function showReading(
  list: DayList,
  reading: Reading,
  { asking = false, isUnconfirmed = false } = {},
): CounterReading {
  const { verdict, person, found, mark = null, orderDay = null } = reading;
  const scan: Scan = {
    id: crypto.randomUUID(),
    day: list.day,
    at: new Date().toISOString(),
    verdict,
    ...(person && { registration: person.registration }),
    ...(found.how === "card" && { card: found.cardId }),
    ...(found.how === "order" && { order: found.orderId }),
  };
  const servedAt = verdict === "already" ? (person?.order?.servedAt ?? null) : null;
  const shown = { scan, verdict, person, mark, orderDay, servedAt, asking, isUnconfirmed };
  const next = { canteen: list.canteen.id, ...shown };
  currentReading.set(next);
  return next;
}

/** Takes a reading out of view, unless another has taken its place. */
export function dismiss({ scan }: CounterReading): void {
  if (currentReading.get()?.scan.id === scan.id) currentReading.set(null);
}

/** Changes what is shown, unless another reading has taken its place. */
function show(before: CounterReading, change: Partial<CounterReading>): void {
  const now = currentReading.get();
  if (now?.scan.id === before.scan.id) currentReading.set({ ...now, ...change });
}

async function keep({ canteen, scan, person }: CounterReading): Promise<void> {
  const name = person?.name ?? "Personne inconnue";
  const sealing = storeScan({ canteen, name, scan, sent: false, result: null });
  // Before it is sealed: a second press of the name finds the meal served.
  if (person && isServed(scan) && isInView({ canteen, scan })) {
    const known = personOf(person.registration) ?? person;
    keepPerson({ ...known, order: servedOrder(known, scan) });
  }
  await sealing;
  void send();
}

/** Whether the list is that of the canteen and of the day of a scan. */
const isInView = ({ canteen, scan }: Pick<CounterReading, "canteen" | "scan">): boolean =>
  dayList.get()?.canteen.id === canteen && dayList.get()?.day === scan.day;
const personOf = (sought: string | undefined): CounterPerson | undefined =>
  dayList.get()?.people.find(({ registration }) => registration === sought);

/** Sends what waits; each person comes back as the server has them. */
export const send = (): Promise<void> => sendScans(onRecorded);

function onRecorded({ person }: ScanView, item: StoredScan): void {
  if (person && isInView(item)) keepPerson(person);
}

/** Serves a meal to whoever has no order of today, or accepts one that waits. */
export async function serveMeal(
  before: CounterReading,
  how: "hold" | "cash" | "validated",
): Promise<void> {
  const more = how === "validated" ? { validated: true } : { walkIn: how };
  const at = new Date().toISOString();
  const scan: Scan = { ...before.scan, id: crypto.randomUUID(), at, ...more };
  const reading: CounterReading = { ...before, scan, verdict: "served", asking: false };
  currentReading.set(reading);
  signal(toneOf("served", before.person));
  await keep(reading);
}

/** Takes a serving of the last five minutes back. */
export async function undo(item: StoredScan): Promise<void> {
  const undoneAt = new Date().toISOString();
  await storeScan({ ...item, scan: { ...item.scan, undoneAt }, sent: false });
  const person = isInView(item) ? personOf(item.scan.registration) : undefined;
  if (person) {
    const order = item.scan.walkIn ? null : person.order && { ...person.order, servedAt: null };
    const state = item.scan.validated ? "validated" : "reserved";
    keepPerson({ ...person, order: order && { ...order, state } });
  }
  if (currentReading.get()?.scan.id === item.scan.id) currentReading.set(null);
  void send();
}
