// Operator commands of payments: list what waits for a decision, and decide.
import { sql } from "kysely";
import * as z from "zod/mini";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { payments } from "#contract/limits.ts";
import { topUpStateNames, type TopUpState } from "#contract/payments/rows.ts";
import { idStart } from "#contract/reference.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { PaymentDeps } from "./orders.ts";
import { pendingReturnCentsSql } from "./postings.ts";
import type { Provider, ProviderName } from "./provider.ts";
import { reconcileTopUp } from "./reconcile.ts";
import {
  commandResult,
  type CommandResult,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";
import { byTwoAccounts } from "#server/process/second-operator.ts";
import {
  acceptReviewed,
  type Decision,
  disputeFreezesSql,
  recordManualRefund,
  reinstate,
  settleParked,
} from "./decisions.ts";

/** Finds a provider by its name, with the dependencies of a command, which may run without a server. */
type FindProvider = (deps: PaymentDeps, name: ProviderName) => Provider | null;

/** The commands, for the providers that `findProvider` gives. */
export const paymentCommandsOf = (findProvider: FindProvider): readonly OperatorCommand[] => [
  {
    name: "payments list",
    arguments: [],
    says: "montre les paiements sans issue, à vérifier ou en litige, et les nouvelles mises de côté",
    run: list,
  },
  {
    name: "payments ask",
    arguments: ["<recharge>"],
    says: "demande au prestataire où en est une recharge, et en tient compte",
    run: (deps, [id = ""]) => ask(deps, findProvider, id),
  },
  {
    name: "payments refund",
    arguments: ["<recharge>"],
    says: "demande au prestataire de rendre l'argent d'une recharge, par deux opérateurs",
    run: (deps, [id = ""], operator) => refund(deps, findProvider, { id, operator }),
  },
  decision({
    name: "payments reinstate",
    what: "<recharge>",
    says: "montre ce qu'un litige gagné rend ; avec un motif, par deux opérateurs, le rend et débloque la cagnotte",
    decide: reinstate,
  }),
  decision({
    name: "payments accept",
    what: "<recharge>",
    says: "montre ce qui attend d'une recharge à vérifier ; avec un motif, par deux opérateurs, le crédite",
    decide: acceptReviewed,
  }),
  decision({
    name: "payments record-refund",
    what: "<recharge>",
    says: "avec un motif, par deux opérateurs, note qu'une recharge à vérifier a été rendue sans que le prestataire le dise",
    decide: recordManualRefund,
  }),
  decision({
    name: "payments settle-parked",
    what: "<nouvelle>",
    movesMoney: false,
    says: "avec un motif, note qu'une nouvelle mise de côté est traitée",
    decide: settleParked,
  }),
];

/**
 * A command that shows what it would do; with a reason it does it, with a second operator where money moves.
 */
function decision({
  decide,
  what,
  movesMoney = true,
  ...command
}: Pick<OperatorCommand, "name" | "says"> & {
  what: string;
  movesMoney?: boolean;
  decide: (tx: Tx, deps: PaymentDeps, decision: Decision) => Promise<readonly string[]>;
}): OperatorCommand {
  return {
    ...command,
    arguments: [what, "[<motif>]"],
    run: (deps, [named = "", reasonText], operator) =>
      commandResult(async () => {
        const id = await topUpIdOf(deps.db, named);
        const reason = reasonText === undefined ? null : reasonArgument(reasonText);
        const run = (tx: Tx) => decide(tx, deps, { id, reason, operator });
        if (reason === null || !movesMoney) return await inTx(deps.db, run);
        const call = { command: command.name, arguments: [id], reason, account: operator };
        const done = await byTwoAccounts(deps, call, async (tx) => ({ lines: await run(tx) }));
        return done.lines;
      }),
  };
}

interface Waiting {
  id: string;
  state: TopUpState;
  amountCents: number;
  provider: ProviderName;
  ref: string | null;
  alone: boolean;
  /** The amount set aside for the payer. */
  pendingReturnCents: number;
  createdAt: Date;
  name: string;
  label: string | null;
}

/** Exit 1 when anything waits, so that a scheduler may watch it; two hundred of each at most. */
async function list({ db, now }: PaymentDeps): Promise<CommandResult> {
  const before = new Date(now().getTime() - payments.reconcileAfterSeconds * 1000);
  const waiting = await topUps(
    db,
    sql`t.state = 'review' or ${disputeFreezesSql} or (t.state = 'disputed' and ${pendingReturnCentsSql} > 0)
      or (t.state in ('initiated', 'authorized') and t.created_at <= ${before})`,
  );
  const parked = await db
    .selectFrom("paymentEvent")
    .select(["eventId", "provider", "type", "receivedAt", "payload"])
    .where("outcome", "=", "parked")
    .orderBy("receivedAt")
    .limit(200)
    .execute();
  const lines = [
    ...waiting.map(
      (one) =>
        `${one.id}  ${topUpStateNames[one.state].padEnd(11)} ` +
        `${formatMoney(one.amountCents).padStart(12)}  ${formatDateTime(one.createdAt)}  ` +
        [
          one.provider.padEnd(7),
          one.name,
          one.label,
          one.ref,
          one.state === "disputed" && one.pendingReturnCents > 0
            ? `${formatMoney(one.pendingReturnCents)} de trop-perçu à rendre (payments refund)`
            : null,
        ]
          .filter((word) => word !== null)
          .join("  "),
    ),
    ...parked.map(
      (event) =>
        `${event.eventId}  mise de côté  ${formatDateTime(event.receivedAt)}  ${event.provider}  ` +
        describe(event.type, event.payload),
    ),
  ];
  if (lines.length === 0) return { ok: true, lines: ["Aucun paiement n'attend quelqu'un."] };
  return { ok: false, lines };
}

const parkedPayload = z.object({
  eventName: z.optional(z.string()),
  about: z.optional(z.string()),
  charge: z.optional(z.object({ ref: z.string(), amountCents: z.number() })),
});

function describe(type: string, payload: unknown): string {
  const { eventName, about, charge } = z.safeParse(parkedPayload, payload).data ?? {};
  if (charge) return `${type}  ${formatMoney(charge.amountCents)}  ${charge.ref}`;
  return `${eventName ?? type}  ${about ?? ""}`;
}

async function ask(
  deps: PaymentDeps,
  findProvider: FindProvider,
  id: string,
): Promise<CommandResult> {
  const found = await topUpNamed(deps, findProvider, id);
  if (typeof found === "string") return refused(found);
  const { topUp, provider } = found;
  try {
    await reconcileTopUp(deps, provider, topUp);
  } catch (error) {
    return refused(`Le prestataire n'a pas répondu : ${sentenceOf(error)}`);
  }
  const after = await topUpBy(deps.db, topUp.id);
  const state = topUpStateNames[after?.state ?? topUp.state];
  const same = after?.state === topUp.state ? "Rien de nouveau" : "Mise à jour";
  return { ok: true, lines: [`${same} : ${state}.`] };
}

async function refund(
  deps: PaymentDeps,
  findProvider: FindProvider,
  { id, operator }: { id: string; operator: string },
): Promise<CommandResult> {
  const found = await topUpNamed(deps, findProvider, id);
  if (typeof found === "string") return refused(found);
  const { topUp, provider } = found;
  if (provider.name === "sandbox")
    return refused("Le bac à sable ne rend pas d'argent : il n'en prend pas.");
  const { ref } = topUp;
  // The amount set aside for the payer of a disputed payment is still to be refunded.
  const hasPendingReturn = topUp.state === "disputed" && topUp.pendingReturnCents > 0;
  if (
    ref === null ||
    (topUp.state !== "credited" && topUp.state !== "review" && !hasPendingReturn)
  ) {
    return refused(`Une recharge «\u00a0${topUpStateNames[topUp.state]}\u00a0» n'a rien à rendre.`);
  }
  const spent = topUp.state === "credited" ? await spentOf(deps.db, topUp.id) : 0;
  // A refund of spent money would freeze the wallet and leave a debt: this command does not do that.
  if (spent > 0) {
    return refused(`${formatMoney(spent)} de cette recharge sont dépensés : rien n'a été demandé.`);
  }
  const call = { command: "payments refund", arguments: [topUp.id], account: operator };
  const amount = formatMoney(hasPendingReturn ? topUp.pendingReturnCents : topUp.amountCents);
  const result = await byTwoAccounts(deps, call, async () => ({
    lines: [`${amount} à rendre à ${topUp.name}.`],
  }));
  if (!result.isDone) return { ok: true, lines: result.lines };
  try {
    await (hasPendingReturn
      ? provider.refund(ref, topUp.pendingReturnCents)
      : provider.refund(ref));
  } catch (error) {
    return refused(`Le prestataire n'a pas répondu ou a refusé : ${sentenceOf(error)}`);
  }
  const said = hasPendingReturn
    ? `${formatMoney(topUp.pendingReturnCents)} de trop-perçu demandés au prestataire.`
    : "Demandé au prestataire. La cagnotte suivra quand il l'aura annoncé.";
  return { ok: true, lines: [said] };
}

/** The part of a credited top-up that is no longer in its wallet, in cents. */
async function spentOf(db: Db, id: string): Promise<number> {
  const found = await query(db).maybeOne(sql<{ spent: number }>`
    select greatest(0, t.amount_cents - t.refunded_cents - (a.balance - a.held))::bigint as spent
      from top_up t
      join wallet_lot l on l.wallet_id = t.wallet_id and l.kind = 'purchased'
      join ledger_account a on a.id = l.account_id
     where t.id = ${id}`);
  return found?.spent ?? 0;
}

/** Resolves a top-up's short reference, or its whole id; the id where one matches, else the text as given. */
async function topUpIdOf(db: Db, named: string): Promise<string> {
  const start = idStart(named);
  if (start === null) return named;
  const { rows } = await sql<{ id: string }>`select id from top_up
    where id between ${`${start}-0000-0000-0000-000000000000`}::uuid
      and ${`${start}-ffff-ffff-ffff-ffffffffffff`}::uuid limit 2`.execute(db);
  return (rows.length === 1 && rows[0]?.id) || named;
}

async function topUpNamed(deps: PaymentDeps, findProvider: FindProvider, named: string) {
  const id = await topUpIdOf(deps.db, named);
  const topUp = z.safeParse(z.uuid(), id).success ? await topUpBy(deps.db, id) : undefined;
  if (!topUp) return "Cette recharge n'existe pas.";
  const provider = findProvider(deps, topUp.provider);
  if (!provider) return `Les réglages ne disent rien du prestataire ${topUp.provider}.`;
  return { topUp, provider };
}

const topUpBy = async (db: Db, id: string) => (await topUps(db, sql`t.id = ${id}`))[0];

async function topUps(db: Db, condition: ReturnType<typeof sql>): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select t.id, t.state, t.amount_cents, t.provider, t.provider_ref as ref,
      t.payment_method_id is not null as alone, ${pendingReturnCentsSql} as pending_return_cents, t.created_at, p.name, t.order_label as label
    from top_up t join wallet w on w.id = t.wallet_id join person p on p.id = w.person_id
    where ${condition} order by t.created_at, t.id limit 200`.execute(db);
  return rows;
}

const refused = (line: string): CommandResult => ({ ok: false, lines: [line] });
const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
