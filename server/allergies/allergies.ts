// Allergies own the health record of a person: allergens and a note, sealed, kept only with consent and
// deleted when consent is withdrawn.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import {
  type Allergen,
  allergens,
  type allergies,
  type HealthRecord,
} from "#contract/allergies/rows.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { holderFor, lockTieForShare } from "#server/family/family.ts";
import type { Call } from "#server/http/serve.ts";
import type { Deps } from "#server/process/deps.ts";
import { audit, unsealFor, sealFor } from "#server/identity/identity.ts";

/** Declared allergens of a person before and after a change. */
export interface DeclaredAllergens {
  personId: number;
  before: readonly Allergen[];
  after: readonly Allergen[];
  at: Date;
}
type Step = (
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  declared: DeclaredAllergens,
) => Promise<void>;

/** Filled in rooms.ts by later rooms; runs in the transaction of the change: ordered meals are reviewed. */
export const onAllergensDeclared: Step[] = [];

type HealthView = Output<typeof allergies.read>;

const purpose = "health record";

interface Row {
  sealed: Buffer;
  consentedAt: Date;
  updatedAt: Date;
}

/** SQL: when the person of a profile declared allergens, never which. */
export const allergiesDeclared = () => sql<{ allergiesDeclaredAt: string }>`
  select jsonb_build_object('allergiesDeclaredAt', consented_at) from health_record
  where person_id = person.id`;

/** Allergens and note of a person, null when none were given or consent was withdrawn. */
export async function healthRecordOf(db: Db, personId: number): Promise<HealthRecord | null> {
  const row = await query(db).maybeOne(sql<Row>`
    select sealed, consented_at, updated_at from health_record
    where person_id = ${personId}`);
  if (!row) return null;
  const content = JSON.parse(await unsealFor(db, purpose, personId, row.sealed)) as {
    allergens: Allergen[];
    note: string;
  };
  return {
    ...content,
    consentedAt: row.consentedAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The allergens of persons, by id; those who gave none are left out. */
export async function allergensOf(
  db: Db,
  personIds: readonly number[],
): Promise<Map<number, Allergen[]>> {
  const { rows } = await sql<{ id: number; sealed: Buffer }>`
    select person_id as id, sealed from health_record
    where person_id = any (${personIds}::bigint[])`.execute(db);
  const known = new Map<number, Allergen[]>();
  for (const { id, sealed } of rows) {
    const content = JSON.parse(await unsealFor(db, purpose, id, sealed)) as {
      allergens: Allergen[];
    };
    known.set(id, content.allergens);
  }
  return known;
}

/** The record of a card that the caller may act for. */
export async function read({
  deps,
  caller,
  input,
}: Call<typeof allergies.read>): Promise<HealthView> {
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  return { record: await healthRecordOf(deps.db, holder.id) };
}

/** Writes a health record, sealed. The caller has checked consent. */
export async function keepHealth(
  tx: Tx,
  record: { personId: number; by: number; allergens: readonly Allergen[]; note: string; at: Date },
): Promise<void> {
  const known = new Set(record.allergens);
  const content = {
    allergens: allergens.filter((one) => known.has(one)),
    note: record.note.trim(),
  };
  const sealed = await sealFor(tx, purpose, record.personId, JSON.stringify(content));
  const { personId, by, at } = record;
  await sql`insert into health_record (person_id, sealed, consented_by, consented_at, updated_at)
    values (${personId}, ${sealed}, ${by}, ${at}, ${at})
    on conflict (person_id) do update set sealed = excluded.sealed, updated_at = excluded.updated_at,
      consented_by = excluded.consented_by`.execute(tx);
}

/** Keeps allergens and note, sealed. Refuses `health_consent` without the consent to keep them. */
export async function keep(call: Call<typeof allergies.keep>): Promise<HealthView> {
  const { deps, caller, input, origin } = call;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  if (!input.consent) throw new Problem("health_consent");
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: caller.personId, owner: holder.id });
    const before = (await allergensOf(tx, [holder.id])).get(holder.id) ?? [];
    await keepHealth(tx, { ...input, personId: holder.id, by: caller.personId, at });
    const declared = { personId: holder.id, before, after: input.allergens, at };
    for (const step of onAllergensDeclared) await step(tx, deps, declared);
    // The trail says that a record was given, never its content.
    const line = { personId: holder.id, action: "health.keep", actor: "person", at };
    await audit(tx, { ...line, address: origin.address });
  });
  return { record: await healthRecordOf(deps.db, holder.id) };
}

/** Withdraws consent: what was given is deleted, and that it was is written down. */
export async function withdraw(
  call: Call<typeof allergies.withdraw>,
): Promise<Output<typeof allergies.withdraw>> {
  const { deps, caller, input, origin } = call;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: caller.personId, owner: holder.id });
    const before = (await allergensOf(tx, [holder.id])).get(holder.id) ?? [];
    await sql`delete from health_record where person_id = ${holder.id}`.execute(tx);
    const line = { personId: holder.id, action: "health.withdraw", actor: "person" };
    await audit(tx, { ...line, address: origin.address, at });
    const declared = { personId: holder.id, before, after: [], at };
    for (const step of onAllergensDeclared) await step(tx, deps, declared);
  });
  return { message: "Votre accord est retiré. Ces informations sont effacées." };
}
