// Offline charges that no wallet paid, as the company reads them: they stay listed.
import { type RawBuilder, sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { formatCount, formatDateTime } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import { referenceOf } from "#contract/reference.ts";
import { lineWords } from "#contract/till/lines.ts";
import { offlineConflictWords } from "#contract/till/offline-words.ts";
import type { OfflineLoss } from "#contract/till/offline.ts";
import { last4 } from "#server/cards/cards.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import type { Caller, PersonCall } from "#server/http/caller.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv, type Document } from "#server/http/document.ts";

const maxInFile = 1000;

/**
 * SQL of the charges that the caller may read: their own, and all of their company for those who may see its
 * money.
 */
const readableBy =
  ({ personId, company }: Caller) =>
  (charge: "o" | "b"): RawBuilder<unknown> => {
    const own = sql`${sql.ref(`${charge}.cashier_id`)} = ${personId}`;
    return company && companyCan.seeMoney(company.roles)
      ? sql`(${sql.ref(`${charge}.company_id`)} = ${company.companyId} or ${own})`
      : own;
  };

type Row = Omit<OfflineLoss, "soldAt" | "receivedAt" | "last4"> & {
  soldAt: Date;
  receivedAt: Date;
  cardnumber: number | null;
};

async function lossesOf(
  db: Db,
  caller: Caller,
  { before = null, max }: { before?: string | null; max: number },
): Promise<OfflineLoss[]> {
  const isReadable = readableBy(caller);
  const { rows } = await sql<Row>`
    select o.id, p.name as counter, k.name as cashier, o.sold_at,
      o.received_at, o.amount_cents, o.label, o.lines, o.cardnumber, o.conflict,
      o.withdrawn_why
    from till_offline o join partner p on p.id = o.partner_id join person k on k.id = o.cashier_id
    where o.conflict is not null and ${isReadable("o")}
      and (${before}::uuid is null or (o.received_at, o.id) < (
        select b.received_at, b.id from till_offline b
        where b.id = ${before}::uuid and ${isReadable("b")}))
    order by o.received_at desc, o.id desc limit ${max}`.execute(db);
  return rows.map(({ cardnumber, soldAt, receivedAt, ...row }) => ({
    ...row,
    soldAt: soldAt.toISOString(),
    receivedAt: receivedAt.toISOString(),
    last4: cardnumber === null ? null : last4(cardnumber),
  }));
}

/** Offline charges that no wallet paid, newest first, by pages from the id of the last one seen. */
export async function readOfflineLosses({
  deps,
  caller,
  input,
}: PersonCall<{ before?: string | undefined; limit?: number | undefined }>): Promise<{
  items: OfflineLoss[];
  next: string | null;
}> {
  const limit = input.limit ?? lists.defaultLimit;
  const page = { before: input.before ?? null, max: limit + 1 };
  const found = await lossesOf(deps.db, caller, page);
  return pageOf(found, limit, ({ id }) => id);
}

/** The same as CSV, with the reason and the advice for each. */
export async function offlineLossesCsv({ deps, caller }: PersonCall<unknown>): Promise<Document> {
  const found = await lossesOf(deps.db, caller, { max: maxInFile + 1 });
  const losses = found.slice(0, maxInFile);
  const max = formatCount(maxInFile);
  const rest =
    found.length > losses.length
      ? [[`Seuls les ${max} écarts les plus récents sont dans ce fichier.`]]
      : [];
  const head = [
    "Vente",
    "Synchronisée",
    "Point de vente",
    "Encaissé par",
    "Carte",
    "Objet",
    "Montant avant remise",
  ];
  const lines = losses.map((loss) => [
    formatDateTime(loss.soldAt),
    formatDateTime(loss.receivedAt),
    plain(loss.counter),
    plain(loss.cashier),
    loss.last4 ? `…${loss.last4}` : "",
    plain(loss.label ?? ""),
    decimal(loss.amountCents),
    plain([offlineConflictWords[loss.conflict].why, loss.withdrawnWhy].filter(Boolean).join(" ")),
    offlineConflictWords[loss.conflict].next,
    referenceOf(loss.id),
    plain(lineWords(loss.lines)),
  ]);
  const file = csvOf([[...head, "Motif", "Que faire", "Référence", "Articles"], ...lines, ...rest]);
  return csv(file, "caisse-ecarts-hors-connexion.csv");
}
