// Partnerships of the demo in varied states: agreed with two versions and a third that waits, invited,
// refused, ended, and an invitation to an unknown number.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { companyOf } from "../companies/companies.ts";
import type { Tx } from "../db/db.ts";
import { cast, type CastName } from "./cast.ts";

type Pro = "canteenProvider" | "partnerShop" | "employer";

interface DemoPartnership {
  from: Pro;
  /** Null for a SIRET that no company here has. */
  to: Pro | null;
  siret: string;
  state: "invited" | "active" | "refused" | "ended";
  note: string | null;
  /** Days ago. */
  invited: number;
  answered?: number;
  ended?: number;
}

/** Writes them; returns the id of the one between the bookshop and the caterer, that both read. */
export async function openPartnerships(
  tx: Tx,
  people: Pick<Record<CastName, number>, Pro>,
  now: Date,
): Promise<string> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const write = (one: DemoPartnership) => insertPartnership(tx, people, one, ago);
  const agreed = await write({
    from: "partnerShop",
    to: "canteenProvider",
    siret: cast.canteenProvider.company.siret,
    state: "active",
    note: "Bonjour, une remise sur les livres pour vos équipes, et un déjeuner moins cher pour les nôtres\u202f?",
    invited: 62,
    answered: 60,
  });
  await propose(tx, agreed, {
    version: 2,
    percents: [10, 5],
    byInviter: false,
    by: people.canteenProvider,
    at: ago(32),
    from: ago(30),
  });
  await propose(tx, agreed, {
    version: 3,
    percents: [12, 8],
    byInviter: true,
    by: people.partnerShop,
    at: ago(2),
    from: null,
  });
  const words = [
    { by: people.partnerShop, own: true, days: 31, text: "Merci, 10 % nous vont aussi." },
    { by: people.canteenProvider, own: false, days: 30, text: "Parfait, c’est en place." },
    {
      by: people.partnerShop,
      own: true,
      days: 2,
      text: "Et 12 % pour la rentrée de janvier\u202f?",
    },
  ];
  for (const { by, own, days, text } of words) {
    await sql`insert into partnership_message (partnership_id, by_id, from_inviter, text, at)
      values (${agreed}, ${by}, ${own}, ${text}, ${ago(days)})`.execute(tx);
  }
  const shop = cast.partnerShop.company.siret;
  await write({
    from: "employer",
    to: "partnerShop",
    siret: shop,
    state: "invited",
    note: "Nos équipes lisent beaucoup\u202f: parlons d’une remise.",
    invited: 3,
  });
  const corail = cast.employer.company.siret;
  await write({
    from: "canteenProvider",
    to: "employer",
    siret: corail,
    state: "ended",
    note: null,
    invited: 200,
    answered: 198,
    ended: 90,
  });
  await write({
    from: "canteenProvider",
    to: "employer",
    siret: corail,
    state: "refused",
    note: null,
    invited: 40,
    answered: 38,
  });
  await write({
    from: "partnerShop",
    to: null,
    siret: "73282932000074",
    state: "invited",
    note: null,
    invited: 6,
  });
  return agreed;
}

async function insertPartnership(
  tx: Tx,
  people: Pick<Record<CastName, number>, Pro>,
  one: DemoPartnership,
  ago: (days: number) => Date,
): Promise<string> {
  const id = randomUUID();
  const inviter = await companyIn(tx, people[one.from]);
  const invited = one.to && (await companyIn(tx, people[one.to]));
  const answeredBy = one.answered === undefined || !one.to ? null : people[one.to];
  const at = (days: number | undefined) => (days === undefined ? null : ago(days));
  await sql`
    insert into partnership (id, inviter_id, invited_id, siret, state, note, invited_by, invited_at,
      expires_at, answered_by, answered_at, ended_by, ended_at, ended_by_inviter, ended_why)
    values (${id}, ${inviter}, ${invited}, ${one.siret}, ${one.state}, ${one.note},
      ${people[one.from]}, ${ago(one.invited)}, ${ago(one.invited - 30)}, ${answeredBy},
      ${at(one.answered)}, ${one.ended === undefined ? null : answeredBy}, ${at(one.ended)},
      ${one.ended === undefined ? null : false},
      ${one.ended === undefined ? null : "Nos chantiers sont maintenant hors de la ville."})`.execute(
    tx,
  );
  const isAgreed = one.state === "active" || one.state === "ended";
  await propose(tx, id, {
    version: 1,
    percents: [5, 5],
    byInviter: true,
    by: people[one.from],
    at: ago(one.invited),
    from: isAgreed ? at(one.answered) : null,
  });
  if (one.state === "refused") {
    await sql`update partnership_terms set closed = 'refused' where partnership_id = ${id}`.execute(
      tx,
    );
  }
  return id;
}

async function companyIn(tx: Tx, personId: number): Promise<string> {
  const company = await companyOf(tx, personId);
  if (!company) throw new Error(`person ${personId} of the demo has no company`);
  return company.companyId;
}

interface DemoTerms {
  version: number;
  /** Of the inviting side, then of the invited one. */
  percents: readonly [number, number];
  byInviter: boolean;
  by: number;
  at: Date;
  from: Date | null;
}

const propose = (tx: Tx, id: string, terms: DemoTerms) =>
  sql`
  insert into partnership_terms (partnership_id, version, inviter_percent, invited_percent,
    by_inviter, proposed_by, proposed_at, from_at)
  values (${id}, ${terms.version}, ${terms.percents[0]}, ${terms.percents[1]}, ${terms.byInviter},
    ${terms.by}, ${terms.at}, ${terms.from})`.execute(tx);
