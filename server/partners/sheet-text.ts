// The text of a sheet that its owner edits: read, replaced as a whole, searchable by its new words.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import type { EditableSheet, partnersSheet as rows } from "#contract/partners/sheet.ts";
import { inCompanyTx, type Membership } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct, phoneOf } from "#server/identity/identity.ts";
import { localAt } from "./local-time.ts";
import { replaceWritten } from "./write.ts";

async function readSheet(
  db: Db,
  { companyId, roles }: Membership,
  { id, now }: { id: string; now: Date },
): Promise<EditableSheet> {
  const { day } = localAt(now);
  const found = await query(db).maybeOne(sql<Omit<EditableSheet, "canEdit">>`
    select p.id, p.name, p.listed, p.summary, p.description, p.phone,
      (select coalesce(json_agg(json_build_object('weekday', weekday,
          'opens', to_char(opens, 'HH24:MI'), 'closes', left(closes::text, 5))
          order by weekday, opens), '[]')
        from partner_hours where partner_id = p.id) as hours,
      (select coalesce(json_agg(json_build_object('fromOn', from_on, 'toOn', to_on, 'reason', reason)
          order by from_on), '[]')
        from partner_closure where partner_id = p.id and to_on >= ${day}::date) as closures,
      (select coalesce(json_agg(json_build_object('kind', kind, 'title', title, 'detail', detail,
          'fromOn', from_on, 'toOn', to_on) order by place), '[]')
        from partner_offer where partner_id = p.id) as offers
    from partner p where p.id = ${id} and p.company_id = ${companyId}`);
  if (!found) throw new Problem("not_found");
  return { ...found, canEdit: companyCan.decide(roles) };
}

/** A sheet of the caller's company. Refuses `not_found`. */
export async function readEditableSheet({
  deps,
  company,
  input,
}: Call<typeof rows.editableSheet>): Promise<EditableSheet> {
  return await readSheet(deps.db, company, { id: input.id, now: deps.now() });
}

interface Period {
  fromOn: string;
  toOn: string;
}

/** Refuses two spans of a day, or two closures, that overlap. */
function requireApart({ hours, closures }: Pick<EditableSheet, "hours" | "closures">): void {
  const crossed = hours.some((one, place) =>
    hours.some(
      (other, at) =>
        at < place &&
        one.weekday === other.weekday &&
        one.opens < other.closes &&
        other.opens < one.closes,
    ),
  );
  if (crossed) throw new Problem("partner_hours_overlap");
  const meet = (one: Period, other: Period) => one.fromOn <= other.toOn && other.fromOn <= one.toOn;
  if (closures.some((one, place) => closures.some((other, at) => at < place && meet(one, other)))) {
    throw new Problem("partner_closures_overlap");
  }
}

/**
 * Replaces the text of a sheet of the caller's company. Refuses `not_found` for another company's,
 * `phone_invalid`, `partner_hours_overlap`, `partner_closures_overlap`.
 */
export async function writeSheet(call: Call<typeof rows.writeSheet>): Promise<EditableSheet> {
  const { deps, company, input } = call;
  const { id } = input;
  const phone = input.phone === null ? null : phoneOf(input.phone);
  const [summary, description] = [input.summary.trim(), input.description.trim()];
  if (summary === "" || description === "") {
    throw new Problem("invalid_input", { what: "une phrase et une description" });
  }
  requireApart(input);
  return await inCompanyTx(call, async (tx) => {
    const found = await query(tx).maybeOne(sql<{ name: string }>`
      select name from partner where id = ${id} and company_id = ${company.companyId}
      for update`);
    if (!found) throw new Problem("not_found");
    await sql`update partner set summary = ${summary}, description = ${description},
      phone = ${phone} where id = ${id}`.execute(tx);
    await replaceWritten(tx, id, input);
    await auditAct(tx, call, "partner.sheet", { details: { name: found.name }, at: deps.now() });
    return await readSheet(tx, company, { id, now: deps.now() });
  });
}
