// The demo's threads with the customer service: one answered, one closed, one that waits.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import type { ContactTopic, ThreadState } from "#contract/contact/rows.ts";
import { dayMs } from "#contract/days.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import type { Tx } from "../db/db.ts";
import { notify } from "../notifications/notifications.ts";
import type { CastName } from "./cast.ts";

interface DemoThread {
  who: CastName;
  topic: ContactTopic;
  subject: string;
  state: ThreadState;
  /** Days ago, who writes, what. */
  messages: readonly (readonly [daysAgo: number, from: "me" | "team", text: string])[];
}

const threads: readonly DemoThread[] = [
  {
    who: "guardian",
    topic: "services",
    subject: "Repas décompté un jour d’absence",
    state: "closed",
    messages: [
      [
        46,
        "me",
        "Bonjour,\nLéo était absent mardi, mais son repas a été décompté. Pouvez-vous vérifier\u202f?",
      ],
      [
        45,
        "team",
        "Bonjour Madame Moreau,\n\nL’absence nous est parvenue après 9 h : le repas était déjà préparé. À titre exceptionnel, nous l’avons recrédité sur la cagnotte de Léo.\n\nPensez à le signaler la veille depuis le suivi.",
      ],
      [45, "me", "Merci beaucoup, c’est noté."],
    ],
  },
  {
    who: "guardian",
    topic: "money",
    subject: "Aide culture : où puis-je l’utiliser\u202f?",
    state: "answered",
    messages: [
      [
        3,
        "me",
        "Bonjour, j’ai reçu l’aide culture de la Ville. Est-elle acceptée à la librairie des Embruns\u202f?",
      ],
      [
        2,
        "team",
        "Bonjour Madame Moreau,\n\nOui, ainsi qu’au cinéma, au musée et à la piscine. La liste complète est dans l’annuaire des partenaires.",
      ],
    ],
  },
  {
    who: "partnerShop",
    topic: "partner",
    subject: "Nouvelle adresse de la librairie",
    state: "open",
    messages: [
      [
        1,
        "me",
        "Bonjour, nous déménageons le mois prochain. Comment changer l’adresse de notre fiche\u202f?",
      ],
    ],
  },
];

/** Writes the threads as they happened, the oldest first, with a notice for this week's answer. */
export async function writeToService(
  tx: Tx,
  people: Record<CastName, number>,
  now: Date,
): Promise<void> {
  const ago = (days: number, minutes: number) =>
    new Date(now.getTime() - days * dayMs + minutes * 60_000);
  for (const { who, topic, subject, state, messages } of threads) {
    const person = people[who];
    const first = ago(messages[0]?.[0] ?? 0, 0);
    const { number, id } = await query(tx).one(sql<{ number: number; id: string }>`
      insert into contact_thread (person_id, topic, subject, state, created_at, updated_at)
      values (${person}, ${topic}, ${subject}, ${state}, ${first}, ${first})
      returning number, id`);
    for (const [at, [days, from, text]] of messages.entries()) {
      const when = ago(days, at * 7);
      await sql`with written as (
          insert into contact_message (thread_number, author_id, operator, text, at)
          values (${number}, ${from === "me" ? person : null},
            ${from === "me" ? null : "demo"}, ${text}, ${when}) returning id)
        update contact_thread set updated_at = ${when}, last_message = (select id from written)
          where number = ${number}`.execute(tx);
      if (from === "team" && state === "answered") {
        await notify(tx, {
          personId: person,
          kind: "contact",
          title: "Réponse à votre demande",
          body: `Nous avons répondu à votre demande «\u00a0${subject}\u00a0».`,
          path: atPlace(linkTo(paths.contact, {}, { thread: id }), "contactAnswer", id),
          at: when,
        });
      }
    }
  }
}
