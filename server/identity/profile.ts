// One's own profile: identity, contact details, and the activity on the account.
import { type RawBuilder, sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { lists } from "#contract/limits.ts";
import type { identity } from "#contract/identity/rows.ts";
import type { Channel } from "#contract/notifications/kinds.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { chooserColumns, toChoices } from "#server/notifications/notifications.ts";
import { activityLabel } from "./activity.ts";
import { mobileOf } from "./contacts.ts";
import { changeContact } from "./contact-change.ts";
import { isOpenSession } from "./sessions.ts";
import { proofOf } from "./step-up.ts";

type Profile = Output<typeof identity.profile>;

/** Identity, contact details and the state of the settings of the caller. */
export const profile = ({ deps, caller }: Call<typeof identity.profile>) => profileOf(deps, caller);

/**
 * SQL: one JSON object with facts of a later room about the person of a profile, filled in rooms.ts. One statement
 * reads those of all rooms.
 */
export const profileFacts: ((at: Date) => RawBuilder<Partial<ProfileFacts>>)[] = [];

interface ProfileFacts {
  /** An instant as PostgreSQL writes it in JSON. */
  allergiesDeclaredAt: string | null;
  closesOn: string | null;
  dataExport: "waiting" | "ready" | null;
}

interface ProfileRow {
  name: string;
  type: 1 | 2;
  email: string | null;
  phonenumber: string | null;
  choices: Record<string, boolean>;
  createdAt: Date;
  passwordChangedAt: Date | null;
  passkeys: number;
  recoveryCodesLeft: number | null;
  sessions: number;
  lastActivity: { at: string; action: string; details: Record<string, unknown> } | null;
  facts: Partial<ProfileFacts>;
}

async function profileOf(deps: Deps, caller: Caller): Promise<Profile> {
  const now = deps.now();
  const laterFacts = profileFacts.map((fact) => sql` || coalesce((${fact(now)}), '{}')`);
  const person = await query(deps.db).one(sql<ProfileRow>`
    select name, ${chooserColumns}, created_at, password_changed_at,
      (select count(*)::int from passkey where person_id = person.id) as passkeys,
      (select case when count(*) > 0 then count(*) filter (where used_at is null)::int end
        from recovery_code where person_id = person.id) as recovery_codes_left,
      (select count(*)::int from session
        where person_id = person.id and ${isOpenSession(now)}) as sessions,
      (select jsonb_build_object('at', at, 'action', action, 'details', details)
        from audit where person_id = person.id order by id desc limit 1) as last_activity,
      '{}'::jsonb${sql.join(laterFacts, sql``)} as facts
    from person where id = ${caller.personId}`);
  const { kinds, channels } = toChoices(deps.config, person);
  const sentBy = (channel: Channel): number =>
    channels.some((one) => one.channel === channel && one.state === "ready")
      ? kinds.filter((kind) => kind[channel]).length
      : 0;
  const {
    lastActivity: last,
    facts: { allergiesDeclaredAt: declaredAt, ...facts },
  } = person;
  return {
    objectID: caller.objectId,
    name: person.name,
    cardnumber: caller.cardnumber,
    type: caller.type,
    email: person.email,
    phonenumber: person.phonenumber,
    memberSince: parisDay(person.createdAt),
    passwordChangedAt: person.passwordChangedAt?.toISOString() ?? null,
    settings: {
      passkeys: person.passkeys,
      recoveryCodesLeft: person.recoveryCodesLeft,
      sessions: person.sessions,
      lastActivity: last && {
        at: new Date(last.at).toISOString(),
        label: activityLabel(last.action, last.details),
      },
      kindsSent: { email: sentBy("email"), sms: sentBy("sms") },
      allergiesDeclaredAt: declaredAt ? new Date(declaredAt).toISOString() : null,
      closesOn: facts.closesOn ?? null,
      dataExport: facts.dataExport ?? null,
    },
  };
}

/** Changes the e-mail address (contact-change.ts), answers the profile. */
export async function changeEmail(call: Call<typeof identity.changeEmail>): Promise<Profile> {
  const { deps, caller, input, origin } = call;
  const to = { channel: "email", address: input.email } as const;
  await changeContact(deps, caller, origin, { ...proofOf(input), to });
  return await profileOf(deps, caller);
}

/** The same for the phone, kept as E.164. Refuses `phone_invalid`, `phone_not_mobile`. */
export async function changePhone(call: Call<typeof identity.changePhone>): Promise<Profile> {
  const { deps, caller, input, origin } = call;
  const to = { channel: "sms", address: mobileOf(input.phonenumber) } as const;
  await changeContact(deps, caller, origin, { ...proofOf(input), to });
  return await profileOf(deps, caller);
}

/** Activity on the account, newest first, paged by id. */
export async function activity({
  deps,
  caller,
  input: { before, limit = lists.defaultLimit },
}: Call<typeof identity.activity>): Promise<Output<typeof identity.activity>> {
  let lines = deps.db
    .selectFrom("audit")
    .select(["id", "at", "action", "address", "details"])
    .where("personId", "=", caller.personId);
  if (before !== undefined) lines = lines.where("id", "<", before);
  const rows = await lines
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { items, next } = pageOf(rows, limit, ({ id }) => id);
  return {
    items: items.map(({ id, at, action, address, details }) => ({
      id,
      at: at.toISOString(),
      action,
      label: activityLabel(action, details),
      address,
    })),
    next,
  };
}
