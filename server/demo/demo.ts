// The demo scheme: the cast with eight months of believable history, always relative to today. It is written
// through the rooms themselves, in the order in which it happened, and never twice.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { formatCardnumber } from "#contract/french.ts";
import type { Deps } from "#server/process/deps.ts";
import { inTx, type Tx } from "../db/db.ts";
import { keepHealth } from "#server/allergies/allergies.ts";
import { hold, post } from "../ledger/ledger.ts";
import { grant, openWallet, schemeAccount, spend } from "../wallet/wallet.ts";
import { writeAccounting } from "./accounting.ts";
import { openBankAccounts } from "./bank-accounts.ts";
import { openCanteens } from "./canteens.ts";
import { writeMenus } from "./menus.ts";
import { writeToService } from "./contact.ts";
import { shareCommuting } from "./commuting.ts";
import { askToJoin } from "./memberships.ts";
import { cast, castPassword, castPeople, type CastName } from "./cast.ts";
import { openDirectory } from "./partners.ts";
import { openPartnerships } from "./partnerships.ts";
import { openProCards } from "./pro-cards.ts";
import { demoRides } from "./rides.ts";
import { agreeOnCustody, sendPapers } from "./rights.ts";
import { chooseStops, openNetwork } from "./transit.ts";
import { keepFilled } from "./funding.ts";
import { tellRecent } from "./notices.ts";
import { demoEvents, type DemoEvent, type DemoGroup } from "./events.ts";
import { subscribed } from "./subscriptions.ts";
import { buyDemoTickets } from "./tickets.ts";
import { openTill } from "./till.ts";

export { demoCommands, requireNoDemoAccounts } from "./closing.ts";
export { openNetwork } from "./transit.ts";
export { demoFares } from "./fares.ts";
export { askToJoin } from "./memberships.ts";
export { agreeOnCustody, openPartnerships, openProCards, sendPapers };

/** Line printed at the start of the demo: who can log in. */
export const demoCards = `cartes de démonstration ${[
  cast.guardian,
  cast.resetPending,
  cast.canteenProvider,
]
  .map(({ cardnumber }) => formatCardnumber(cardnumber))
  .join(", ")} · mot de passe ${castPassword}`;

const groups = {
  main: 1,
  canteen: 2,
  culture: 3,
} as const satisfies Record<DemoGroup, number>;

/** Fills an empty database with the demo scheme; does nothing if there are people. */
export async function fillDemo(deps: Deps): Promise<void> {
  if (await deps.db.selectFrom("person").select("id").limit(1).executeTakeFirst()) return;
  const filled = await inTx(deps.db, async (tx) => {
    // Two servers that start together: the second waits here, however long the first takes on a busy
    // machine, then finds the people.
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`lock table person in share row exclusive mode`.execute(tx);
    const someone = await tx.selectFrom("person").select("id").limit(1).executeTakeFirst();
    if (someone) return null;
    const now = deps.now();
    const people = await castPeople(tx, now);
    const scheme = await openScheme(tx, people);
    await openDirectory(tx, now);
    const till = await openTill(tx, people, now);
    await shareCommuting(tx, people, now);
    const rides = await ridesIn(tx, scheme, now);
    for (const event of demoEvents(now)) {
      await rides.until(event.at);
      if (isAtTill(event)) await till.sell(event);
      else await play(tx, scheme, event);
    }
    await rides.until(now);
    await liveTogether(tx, people, now);
    await openProCards(tx, people, now);
    await openBankAccounts(tx, people, now);
    await openPartnerships(tx, people, now);
    // Before the canteens: the price of a meal depends on the household's quotient.
    await sendPapers(tx, people, now);
    const { providerId } = await openCanteens(tx, people, { groupId: groups.canteen, at: now });
    await writeMenus(tx, providerId, now);
    await subscribed(tx, people, now);
    await agreeOnCustody(tx, people, now);
    await openNetwork(tx, now);
    await chooseStops(tx, people, now);
    await keepHealth(tx, {
      personId: people.child,
      by: people.guardian,
      allergens: ["peanuts", "nuts"],
      note: "Trousse d’urgence au secrétariat.",
      at: now,
    });
    await keepFilled(tx, people, now);
    const walletOf = (name: CastName) => walletIn(scheme, name, "main").id;
    await buyDemoTickets(tx, deps, people, { now, walletOf });
    await tellRecent(tx, people, now);
    await writeToService(tx, people, now);
    const { cardnumber, name, email, phonenumber } = cast.stranger;
    const asker = { personId: people.stranger, cardnumber, name, email, phone: phonenumber };
    await askToJoin(tx, asker, now);
    return people;
  });
  if (filled) await writeAccounting(deps, filled);
}

/** The passes of the demo, each paid by a payment of its own price. */
const ridesIn = (tx: Tx, scheme: Scheme, now: Date) =>
  demoRides(tx, scheme.people, now, (name) => ({
    walletId: walletIn(scheme, name, "main").id,
    topUp: (amountCents, at) =>
      playTopUp(tx, scheme, {
        kind: "top_up",
        id: randomUUID(),
        key: "",
        charge: randomUUID(),
        who: name,
        payer: name,
        group: "main",
        amountCents,
        at,
      }),
  }));

interface Scheme {
  people: Record<CastName, number>;
  /** `name/group` → wallet. */
  wallets: Map<string, { id: number; objectID: string; accountId: number }>;
  purchases: number;
  meals: number;
  sandbox: number;
}

async function openScheme(tx: Tx, people: Record<CastName, number>): Promise<Scheme> {
  await tx
    .insertInto("acceptanceGroup")
    .values([
      {
        id: groups.canteen,
        name: "Cagnotte restauration",
        slug: "restauration",
        rule: "Acceptée dans les restaurants scolaires et d’entreprise du réseau.",
      },
      {
        id: groups.culture,
        name: "Cagnotte culture",
        slug: "culture",
        rule: "Acceptée au cinéma, au musée, à la librairie et à la piscine.",
      },
    ])
    .execute();
  await sql`select setval(pg_get_serial_sequence('acceptance_group', 'id'), 100)`.execute(tx);
  const scheme: Scheme = {
    people,
    wallets: new Map(),
    purchases: await schemeAccount(tx, "purchases"),
    meals: await schemeAccount(tx, "meals"),
    sandbox: await schemeAccount(tx, "payments:sandbox"),
  };
  for (const name of Object.keys(cast) as CastName[]) await open(tx, scheme, name, "main");
  await open(tx, scheme, "child", "canteen");
  await open(tx, scheme, "secondChild", "canteen");
  await open(tx, scheme, "guardian", "culture");
  return scheme;
}

async function open(tx: Tx, scheme: Scheme, name: CastName, group: DemoGroup): Promise<void> {
  const wallet = await openWallet(tx, { personId: scheme.people[name], groupId: groups[group] });
  const { accountId } = await tx
    .selectFrom("walletLot")
    .select("accountId")
    .where("walletId", "=", wallet.id)
    .where("kind", "=", "purchased")
    .executeTakeFirstOrThrow();
  scheme.wallets.set(`${name}/${group}`, { ...wallet, accountId });
}

/** A professional does not pay at a till (server/till). */
const isAtTill = (event: DemoEvent): boolean =>
  event.kind === "purchase" && event.label === cast.partnerShop.name && cast[event.who].type === 1;

async function play(tx: Tx, scheme: Scheme, event: DemoEvent): Promise<void> {
  const wallet = walletIn(scheme, event.who, event.group);
  const { key, at, amountCents } = event;
  switch (event.kind) {
    case "top_up":
      return await playTopUp(tx, scheme, event);
    case "grant":
      await grant(tx, {
        walletId: wallet.id,
        amountCents,
        label: event.label,
        expiresOn: event.expiresOn,
        key,
        at,
      });
      return;
    case "transfer":
      await post(tx, [
        {
          key,
          debitAccount: wallet.accountId,
          creditAccount: walletIn(scheme, event.to, "main").accountId,
          amountCents,
          kind: "transfer",
          memo: { from: cast[event.who].name, to: cast[event.to].name },
          at,
        },
      ]);
      return;
    case "booking":
      await hold(tx, {
        key,
        debitAccount: wallet.accountId,
        creditAccount: scheme.meals,
        amountCents,
        kind: "meal",
        memo: { label: event.label, on: event.on },
        at,
      });
      return;
    case "purchase":
    case "meal":
      await spend(tx, {
        walletId: wallet.id,
        amountCents,
        to: event.kind === "meal" ? scheme.meals : scheme.purchases,
        kind: event.kind,
        key,
        memo: { label: event.label },
        at,
      });
  }
}

function walletIn(scheme: Scheme, who: CastName, group: DemoGroup) {
  const wallet = scheme.wallets.get(`${who}/${group}`);
  if (!wallet) throw new Error(`the demo has no wallet ${who}/${group}`);
  return wallet;
}

async function playTopUp(
  tx: Tx,
  scheme: Scheme,
  event: Extract<DemoEvent, { kind: "top_up" }>,
): Promise<void> {
  const wallet = walletIn(scheme, event.who, event.group);
  const { amountCents, at, id, charge } = event;
  await tx
    .insertInto("topUp")
    .values({
      id,
      walletId: wallet.id,
      personId: scheme.people[event.payer],
      amountCents,
      state: "credited",
      provider: "sandbox",
      providerRef: charge,
      idempotencyKey: null,
      reason: null,
      paymentUrl: null,
      createdAt: at,
      updatedAt: at,
      creditedAt: at,
      checkedAt: null,
    })
    .execute();
  await post(tx, [
    {
      key: `charge:sandbox:${charge}`,
      debitAccount: scheme.sandbox,
      creditAccount: wallet.accountId,
      amountCents,
      kind: "top_up",
      memo: { label: "Recharge par carte bancaire" },
      at,
    },
  ]);
}

/** The family's settings and open items: a child's limits, an invitation, a first card requested. */
async function liveTogether(tx: Tx, people: Record<CastName, number>, now: Date): Promise<void> {
  await sql`insert into member_limit (person_id, day_cents, week_cents, set_by, set_at)
    values (${people.child}, 1500, 4000, ${people.guardian}, ${now})`.execute(tx);
  await sql`insert into family_invitation (id, inviter_id, cardnumber, invitee_id, role, created_at,
      expires_at)
    values (gen_random_uuid(), ${people.stranger}, ${cast.guardian.cardnumber}, ${people.guardian},
      'relative', ${now}, ${now}::timestamptz + interval '14 days')`.execute(tx);
  await sql`insert into first_card_request (guardian_id, name, born_on, requested_at)
    values (${people.guardian}, 'Zoé Moreau', (paris_day(${now}::timestamptz) - interval '6 years')::date, ${now})`.execute(
    tx,
  );
}
