// Operator commands of the customer service: list, show, answer and close threads.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { formatDateTime, ofName } from "#contract/french.ts";
import { contactTopicNames, type ContactTopic, type ThreadState } from "#contract/contact/rows.ts";
import { Problem } from "#contract/errors.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { CommandResult, OperatorCommand, OperatorDeps } from "#server/process/room.ts";
import { messagesOf, waitingSinceSql } from "./messages.ts";

const stateNames: Record<ThreadState, string> = {
  open: "attend notre réponse",
  answered: "répondu",
  closed: "terminé",
};
const maxTextLength = 4000;

/** Commands `npm run operator -- contact …`. */
export const contactCommands: readonly OperatorCommand[] = [
  {
    name: "contact list",
    arguments: [],
    says: "montre les demandes qui attendent une réponse, la plus ancienne d'abord",
    run: ({ db }) => listWaiting(db),
  },
  {
    name: "contact show",
    arguments: ["<demande>"],
    says: "montre une demande, ses messages et ses fichiers joints",
    run: ({ db }, [thread = ""]) => threadResult(() => showThread(db, numberIn(thread))),
  },
  {
    name: "contact answer",
    arguments: ["<demande>", "<texte|@fichier>"],
    says: "répond à une demande ; la personne est prévenue",
    run: (deps, [thread = "", text = ""], operator) =>
      threadResult(async () =>
        answerThread(deps, numberIn(thread), await answerText(text), operator),
      ),
  },
  {
    name: "contact close",
    arguments: ["<demande>"],
    says: "termine une demande ; écrire la rouvre",
    run: ({ db }, [thread = ""]) => threadResult(() => endThread(db, numberIn(thread))),
  },
];

function numberIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Problem("not_found");
  return Number(text);
}

/** The text given after the command, or in the file that it names. */
async function answerText(argument: string): Promise<string> {
  const text = argument.startsWith("@")
    ? await readFile(argument.slice(1), "utf8").catch(() => {
        throw new Error(`Le fichier ${argument.slice(1)} ne s'ouvre pas.`);
      })
    : argument;
  const answer = text.replace(/\r\n?/g, "\n").trim();
  if (answer === "" || answer.length > maxTextLength) {
    throw new Error(`La réponse doit avoir de 1 à ${maxTextLength} caractères.`);
  }
  return answer;
}

async function threadResult(say: () => Promise<string[]>): Promise<CommandResult> {
  try {
    return { ok: true, lines: await say() };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, lines: ["Aucune demande n'a ce numéro."] };
    // An error of the database is a fault of the server, not of the command.
    if (!(error instanceof Error) || "code" in error) throw error;
    return { ok: false, lines: [error.message] };
  }
}

interface Thread {
  number: number;
  id: string;
  topic: ContactTopic;
  subject: string;
  state: ThreadState;
  at: Date;
  personId: number;
  name: string;
  cardnumber: number | null;
}

const columns = sql`t.number, t.id, t.topic, t.subject, t.state, t.updated_at as at, p.name,
  p.id as person_id, (select number from current_card(p.id)) as cardnumber`;

async function listWaiting(db: Db): Promise<CommandResult> {
  const { rows } = await sql<Thread & { since: Date }>`
    select ${columns}, ${waitingSinceSql("t")} as since from contact_thread t
    join person p on p.id = t.person_id where t.state = 'open'
    order by since limit 200`.execute(db);
  const lines = rows.map(
    ({ number, since, topic, name, subject }) =>
      `${number}  ${formatDateTime(since)}  ${contactTopicNames[topic]}  ${name} : ${subject}`,
  );
  return { ok: true, lines: lines.length > 0 ? lines : ["Aucune demande n'attend de réponse."] };
}

async function requireThread(db: Db, number: number): Promise<Thread> {
  const found = await query(db).maybeOne(sql<Thread>`select ${columns} from contact_thread t
    join person p on p.id = t.person_id where t.number = ${number}`);
  if (!found) throw new Problem("not_found");
  return found;
}

async function showThread(db: Db, number: number): Promise<string[]> {
  const thread = await requireThread(db, number);
  const messages = await messagesOf(db, number);
  return [
    `Demande ${number}, ${stateNames[thread.state]}`,
    `${thread.name}, carte ${thread.cardnumber ?? "(aucune)"}`,
    `${contactTopicNames[thread.topic]} : ${thread.subject}`,
    ...messages.flatMap(({ operator, message: { at, text, documents } }) => [
      "",
      `— ${operator ?? thread.name}, ${at.slice(0, 16)}`,
      ...text.split("\n").map((line) => `  ${line}`),
      ...documents.map(({ id, name }) => `  [${name}] operator documents save ${id} <fichier>`),
    ]),
  ];
}

async function answerThread(
  deps: OperatorDeps,
  number: number,
  text: string,
  operator: string,
): Promise<string[]> {
  const at = deps.now();
  return await inTx(deps.db, async (tx) => {
    await sql`select from contact_thread where number = ${number} for update`.execute(tx);
    const thread = await requireThread(tx, number);
    await sql`with written as (
        insert into contact_message (thread_number, operator, text, at)
        values (${number}, ${operator}, ${text}, ${at}) returning id)
      update contact_thread set state = 'answered', updated_at = ${at},
        last_message = (select id from written) where number = ${number}`.execute(tx);
    await auditOperator(tx, operator, "contact.answer", {
      personId: thread.personId,
      details: { name: thread.subject },
      at,
    });
    await announceAnswer(tx, deps, thread, at);
    return [`Réponse envoyée à ${thread.name}.`];
  });
}

/** Announces on the bell, and outside the portal, that there is an answer: never what it says. */
async function announceAnswer(tx: Tx, deps: OperatorDeps, thread: Thread, at: Date): Promise<void> {
  const { id } = thread;
  const path = atPlace(linkTo(paths.contact, {}, { thread: id }), "contactAnswer", id);
  await announce(tx, deps, {
    about: "contact",
    to: [thread.personId],
    title: "Réponse à votre demande",
    body: `Nous avons répondu à votre demande «\u00a0${thread.subject}\u00a0».`,
    path,
    at,
    changed: ["contact"],
    channels: "outside",
    message: { action: { label: "Lire la réponse", path } },
  });
}

async function endThread(db: Db, number: number): Promise<string[]> {
  const { name } = await requireThread(db, number);
  await sql`update contact_thread set state = 'closed' where number = ${number}`.execute(db);
  return [`Demande ${number} ${ofName(name)} : terminée.`];
}
