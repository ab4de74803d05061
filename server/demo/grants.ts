// Grants of the demo's employer: meals of a past month, whose rest was returned, meals that expire soon, a
// present that nobody has spent yet, and one that waits to be paid.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { addDays, dayMs, parisDay, startOfDay } from "#contract/days.ts";
import { giveGrant, lockGrant, payReturns } from "../grants/grants.ts";
import { companyOf } from "../companies/companies.ts";
import { inTx, type Tx } from "../db/db.ts";
import type { Deps } from "../process/deps.ts";
import { openWallet, schemeAccount, spend, walletTasks } from "../wallet/wallet.ts";
import { chance } from "./random.ts";

interface DemoGrant {
  label: string;
  daysAgo: number;
  /** Days from now to its last day. */
  endsIn: number;
  idgroup: number;
  amountCents: number;
  cards: number;
  /** How many times each bearer has paid with it. */
  purchases: number;
  paid: boolean;
}

const meals = { idgroup: 2, paid: true } as const;
const grants: readonly DemoGrant[] = [
  {
    ...meals,
    label: "Repas de rentrée",
    daysAgo: 75,
    endsIn: -15,
    amountCents: 5000,
    cards: 5,
    purchases: 4,
  },
  {
    ...meals,
    label: "Repas du trimestre",
    daysAgo: 20,
    endsIn: 10,
    amountCents: 6000,
    cards: 5,
    purchases: 3,
  },
  {
    idgroup: 1,
    paid: true,
    label: "Cadeau de l’équipe",
    daysAgo: 1,
    endsIn: 120,
    amountCents: 4500,
    cards: 4,
    purchases: 0,
  },
  {
    idgroup: 3,
    paid: false,
    label: "Sortie au cinéma",
    daysAgo: 0.1,
    endsIn: 60,
    amountCents: 2500,
    cards: 3,
    purchases: 0,
  },
];

interface Step {
  at: Date;
  take: (deps: Deps, employer: number) => Promise<unknown>;
}

/** The dates on which the employer grants, its people spend, and the rest is returned. */
export const grantedMoney = (now: Date): Step[] =>
  grants.flatMap((grant): Step[] => {
    const at = new Date(now.getTime() - grant.daysAgo * dayMs);
    const expiresOn = addDays(parisDay(now), grant.endsIn);
    const grantStep: Step = {
      at,
      take: (deps, employer) =>
        inTx(deps.db, (tx) => giveOne(tx, deps, { grant, employer, expiresOn, at })),
    };
    if (grant.endsIn >= 0) return [grantStep];
    const over = new Date(startOfDay(addDays(expiresOn, 1)).getTime() + 3_600_000);
    const back: Step = {
      at: over,
      take: async (deps) => {
        const then = { ...deps, now: () => over };
        await walletTasks(then).expire_lots();
        await payReturns(then);
      },
    };
    return [grantStep, back];
  });

async function giveOne(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  input: { grant: DemoGrant; employer: number; expiresOn: string; at: Date },
): Promise<void> {
  const { grant, employer, expiresOn, at } = input;
  const company = await companyOf(tx, employer);
  if (!company) throw new Error("the demo's employer has no company");
  const { rows: bearers } = await sql<{ id: number }>`
    select k.person_id as id from pro_card k cross join lateral current_card(k.person_id) card
    where k.company_id = ${company.companyId} and k.assigned_at is not null
      and card.state = 'active' and k.person_id <> ${employer}
    order by k.person_id limit ${grant.cards}`.execute(tx);
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into company_grant (company_id, person_id, group_id, label, expires_on, total_cents,
      created_at)
    values (${company.companyId}, ${employer}, ${grant.idgroup}, ${grant.label}, ${expiresOn},
      ${grant.amountCents * bearers.length}, ${at}) returning id`);
  await sql`insert into company_grant_card (grant_id, person_id, amount_cents)
    select ${id}::uuid, person, ${grant.amountCents}
    from unnest(${bearers.map((one) => one.id)}::bigint[]) person`.execute(tx);
  if (!grant.paid) return;
  const main = await openWallet(tx, { personId: employer });
  const label = `Dotation, ${grant.label}`;
  await spend(tx, {
    walletId: main.id,
    amountCents: grant.amountCents * bearers.length,
    to: await schemeAccount(tx, "company_grants"),
    ownMoney: true,
    kind: "purchase",
    key: `grants:${id}`,
    memo: { label },
    at,
  });
  const row = await lockGrant(tx, id);
  await giveGrant(tx, deps, row, { buyerId: employer, walletId: main.id, receipt: [], at });
  for (const { id: personId } of bearers) await eat(tx, grant, { personId, at });
}

/** A bearer pays some meals with it, a few days apart. */
async function eat(
  tx: Tx,
  { idgroup, purchases, label, amountCents }: DemoGrant,
  { personId, at }: { personId: number; at: Date },
): Promise<void> {
  const wallet = await openWallet(tx, { personId, groupId: idgroup });
  const to = await schemeAccount(tx, "purchases");
  for (let meal = 0; meal < purchases; meal++) {
    const share = 0.12 + 0.12 * chance(`${label} ${personId} ${meal}`);
    await spend(tx, {
      walletId: wallet.id,
      amountCents: Math.round((amountCents * share) / 10) * 10,
      to,
      kind: "purchase",
      key: `demo:grants:${label}:${personId}:${meal}`,
      memo: { label: "Restaurant d’entreprise du Port" },
      at: new Date(at.getTime() + (meal * 4 + 2) * dayMs),
    });
  }
}
