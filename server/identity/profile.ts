// One's own profile: identity, contact details, and the activity on the account.
import { parisDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { lists } from "#contract/limits.ts";
import type { identity } from "#contract/identity/rows.ts";
import { pageOf } from "#server/db/page.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { activityLabel } from "./activity.ts";
import { mobileOf } from "./contacts.ts";
import { changeContact } from "./contact-change.ts";
import { proofOf } from "./step-up.ts";

type Profile = Output<typeof identity.profile>;

/** Identity and contact details of the caller. */
export const profile = ({ deps, caller }: Call<typeof identity.profile>) => profileOf(deps, caller);

async function profileOf(deps: Deps, caller: Caller): Promise<Profile> {
  const person = await deps.db
    .selectFrom("person")
    .select(["name", "email", "phonenumber", "createdAt", "passwordChangedAt"])
    .where("id", "=", caller.personId)
    .executeTakeFirstOrThrow();
  return {
    objectID: caller.objectId,
    name: person.name,
    cardnumber: caller.cardnumber,
    type: caller.type,
    email: person.email,
    phonenumber: person.phonenumber,
    memberSince: parisDay(person.createdAt),
    passwordChangedAt: person.passwordChangedAt?.toISOString() ?? null,
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
  let query = deps.db
    .selectFrom("audit")
    .select(["id", "at", "action", "address", "details"])
    .where("personId", "=", caller.personId);
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query
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
