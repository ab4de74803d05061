// Batches of cards: accepted cards are made together, each with its letter, and the batch is recorded. A
// holder who never chose a password finds the secret of the first sign-in in the letter only: the list for
// the card maker holds none.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { produceCards } from "./issue.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAll, endSessions } from "#server/identity/identity.ts";
import { csvOf, plain } from "#server/http/csv.ts";
import { paper, type Paper } from "#server/http/paper.ts";
import { printable } from "#server/process/printable.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { makeFirstSecret } from "./holders.ts";

/** How many cards one batch makes at most. */
export const maxCardsInBatch = 500;

interface BatchCard {
  cardnumber: number;
  personId: number;
  /** Null while nobody carries it. */
  name: string | null;
  replaces: number | null;
  /** Whether the holder signs in for the first time with this card. */
  first: boolean;
}

interface Letter extends BatchCard {
  secret: string | null;
  passwordHash: string | null;
}

export interface PrintedBatch {
  number: number;
  cards: number;
  secrets: number;
  files: string[];
}

/** The cards of an order of pro cards are printed by themselves, their replacements with other cards. */
export interface OrderBatch {
  orderId: string;
  /** Further columns of the list, printed on each of them, their values by whether the card has a bearer. */
  columns: readonly (readonly [title: string, value: (hasBearer: boolean) => string])[];
  /** Called in the transaction that puts the cards into production. */
  onMade: (tx: Tx, batch: { number: number; at: Date }) => Promise<void>;
}

const ofNoOrder = sql`(c.replaces is not null or not exists (
  select from pro_card k where k.person_id = c.person_id and k.order_id is not null))`;

/**
 * Makes a batch of at most `max` accepted cards, the oldest request first, or of those of one order, and
 * writes its letters and its list into `folder`, whole or not at all. Null when no card waits. Refuses
 * `batch_changed` when somebody else moved one of the cards meanwhile, `batch_files` when a file cannot be
 * written.
 */
export async function makeBatch(
  deps: OperatorDeps,
  input: { folder: string; max: number; operator: string; order?: OrderBatch },
): Promise<PrintedBatch | null> {
  const { folder, max, operator, order } = input;
  const which = order
    ? sql`c.replaces is null and exists (select from pro_card k
        where k.person_id = c.person_id and k.order_id = ${order.orderId})`
    : ofNoOrder;
  const cards = await cardsWhere(deps.db, sql`c.state = 'approved' and ${which}`, max);
  if (cards.length === 0) return null;
  const number = await nextBatch(deps.db);
  const letters = await lettersOf(deps, cards);
  const columns = order?.columns ?? [];
  return await writeBatchFiles(deps, { number, letters, folder, columns }, async (tx) => {
    const at = deps.now();
    await sql`insert into card_batch (number, operator, made_at) overriding system value
      values (${number}, ${operator}, ${at})`.execute(tx);
    await order?.onMade(tx, { number, at });
    const numbers = cards.map(({ cardnumber }) => cardnumber);
    const moved = await produceCards(tx, numbers, { batch: number, operator, at });
    if (moved !== numbers.length) throw new Problem("batch_changed");
    await keepSecrets(tx, letters, { operator, at });
  });
}

/**
 * Writes the letters and the list of a batch again, for files that were lost: the holders who have not chosen
 * a password get new secrets, the former ones are void. Refuses `not_found`.
 */
export async function reprintBatch(
  deps: OperatorDeps,
  input: { number: number; folder: string; operator: string; columns?: OrderBatch["columns"] },
): Promise<PrintedBatch> {
  const { number, folder, operator, columns = [] } = input;
  const cards = await cardsWhere(deps.db, sql`c.batch_number = ${number}`, maxCardsInBatch);
  if (cards.length === 0) throw new Problem("not_found");
  const letters = await lettersOf(deps, cards);
  return await writeBatchFiles(deps, { number, letters, folder, columns }, (tx) =>
    keepSecrets(tx, letters, { operator, at: deps.now() }),
  );
}

export interface BatchLine {
  number: number;
  operator: string;
  madeAt: Date;
  cards: number;
  /** Cards of it that are not active yet. */
  waiting: number;
}

/** The batches made, the newest first, at most 200. */
export async function batches(db: Db): Promise<BatchLine[]> {
  const { rows } = await sql<BatchLine>`
    select b.number, b.operator, b.made_at, count(*)::int as cards,
      count(*) filter (where c.activated_at is null)::int as waiting
    from card_batch b join card c on c.batch_number = b.number
    group by b.number order by b.number desc limit 200`.execute(db);
  return rows;
}

async function cardsWhere(
  db: Db,
  condition: ReturnType<typeof sql>,
  max: number,
): Promise<BatchCard[]> {
  const { rows } = await sql<BatchCard>`
    select c.number as cardnumber, c.person_id, c.replaces,
      case when exists (select from pro_card k where k.person_id = p.id and k.assigned_at is null)
        then null else p.name end as name,
      c.replaces is null and p.must_reset and p.password_changed_at is null as first
    from card c join person p on p.id = c.person_id
    where ${condition} and p.disabled_at is null
    order by c.requested_at, c.number limit ${max}`.execute(db);
  return rows;
}

/** A number taken before its row is written, since the files bear it. An unused one leaves a gap. */
async function nextBatch(db: Db): Promise<number> {
  const { number } = await query(db).one(sql<{ number: number }>`
    select nextval(pg_get_serial_sequence('card_batch', 'number')) as number`);
  return number;
}

async function lettersOf(deps: OperatorDeps, cards: readonly BatchCard[]): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (const card of cards) {
    const made = card.first ? await makeFirstSecret() : { secret: null, passwordHash: null };
    letters.push({ ...card, ...made });
    if (letters.length % 50 === 0) deps.progress?.(`${letters.length} lettres sur ${cards.length}`);
  }
  return letters;
}

/** Stores the secrets, for those who have still not chosen a password: they are valid from now on. */
async function keepSecrets(
  tx: Tx,
  letters: readonly Letter[],
  { operator, at }: { operator: string; at: Date },
): Promise<void> {
  const made = letters.filter(({ passwordHash }) => passwordHash !== null);
  const { rows } = await sql<{ id: number }>`
    update person set password_hash = m.hash
    from unnest(${made.map(({ personId }) => personId)}::bigint[],
      ${made.map(({ passwordHash }) => passwordHash)}::text[]) as m (id, hash)
    where person.id = m.id and must_reset and password_changed_at is null
    returning person.id`.execute(tx);
  // Somebody chose a password while the letters were made: theirs would hold a secret that is not valid.
  if (rows.length !== made.length) throw new Problem("batch_changed");
  for (const { id } of rows) await endSessions(tx, id, { why: "secret", at });
  const line = { action: "holder.secret", actor: `operator:${operator}`, address: null, at };
  await auditAll(
    tx,
    rows.map(({ id }) => ({ ...line, personId: id })),
  );
}

/** Writes the files, then runs `work`; if it fails, the files are deleted again. */
async function writeBatchFiles(
  deps: OperatorDeps,
  input: {
    number: number;
    letters: readonly Letter[];
    folder: string;
    columns: OrderBatch["columns"];
  },
  work: (tx: Tx) => Promise<void>,
): Promise<PrintedBatch> {
  const { number, letters, folder, columns } = input;
  const files = [
    { path: join(folder, `lot-${number}-lettres.pdf`), content: await drawLetters(deps, letters) },
    { path: join(folder, `lot-${number}.csv`), content: listOf(letters, columns) },
  ];
  const written: string[] = [];
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(throwFileProblem(folder));
    for (const { path, content } of files) {
      await writeFile(path, content, { flag: "wx", mode: 0o600 }).catch(throwFileProblem(path));
      written.push(path);
    }
    await inTx(deps.db, work);
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw error;
  }
  const secrets = letters.filter(({ secret }) => secret !== null).length;
  return { number, cards: letters.length, secrets, files: written };
}

const throwFileProblem =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    const why = error.code === "EEXIST" ? "il existe déjà" : "ce chemin ne s'ouvre pas";
    throw new Problem("batch_files", { path, why });
  };

const kindOf = ({ replaces }: BatchCard) =>
  replaces === null ? "première carte" : `remplace ${replaces}`;

/** For the card maker: no secret is in it. */
const listOf = (letters: readonly Letter[], columns: OrderBatch["columns"]): string =>
  csvOf([
    ["Numéro de carte", "Titulaire", "Nature", ...columns.map(([title]) => title)],
    ...letters.map((one) => [
      one.cardnumber,
      plain(printable(one.name ?? "")),
      kindOf(one),
      ...columns.map(([, value]) => plain(printable(value(one.name !== null)))),
    ]),
  ]);

/** One page a card, to fold into its envelope. */
function drawLetters(deps: OperatorDeps, letters: readonly Letter[]): Promise<Buffer> {
  const title = "Votre carte";
  const [first] = letters;
  if (!first) throw new Error("a batch without cards has no letters");
  const madeAt = deps.now();
  return paper({ title, cardnumber: first.cardnumber, madeAt }, async (page) => {
    for (const letter of letters) {
      if (letter !== first) await page.next({ title, cardnumber: letter.cardnumber });
      drawLetter(page, letter, `${deps.config.publicUrl}${paths.login}`);
    }
  });
}

function drawLetter(page: Paper, letter: Letter, address: string): void {
  const { name, cardnumber, secret, replaces } = letter;
  page.facts([
    ...(name === null ? [] : [["Titulaire", printable(name)] as const]),
    ["Numéro de carte", formatCardnumber(cardnumber)],
    ...(secret === null ? [] : [["Secret de première connexion", secret] as const]),
    ["Adresse du portail", address],
  ]);
  page.code(address, `Adresse du portail : ${address}`, 110);
  for (const line of stepsOf(replaces, secret !== null)) page.paragraph(line);
}

function stepsOf(replaces: number | null, hasSecret: boolean): string[] {
  if (hasSecret) {
    return [
      "1. Ouvrez le portail et saisissez votre numéro de carte, puis le secret à la place du mot de passe.",
      "2. Choisissez votre mot de passe : votre carte est alors active, et le secret ne sert plus.",
      "Gardez cette lettre jusque-là, et ne la montrez à personne. Un secret reçu auparavant ne vaut plus rien.",
    ];
  }
  if (replaces === null) {
    return ["Connectez-vous au portail : votre carte s’y active dès que vous l’avez reçue."];
  }
  return [
    `Cette carte remplace celle qui se termine par ${String(replaces).slice(-4)}.`,
    "Connectez-vous au portail avec votre numéro habituel et votre mot de passe, puis activez cette carte " +
      "depuis le tableau de bord. Son numéro sert ensuite à vous connecter.",
  ];
}
