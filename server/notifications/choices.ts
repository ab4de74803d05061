// The channels chosen for each kind of news, beside the notice that is always written.
import { sql } from "kysely";
import {
  bellOptionalKinds,
  type Channel,
  type ChannelState,
  channels,
  type ChoiceTarget,
  choosableKinds,
  type ChoosableKind,
  usuallySent,
} from "#contract/notifications/kinds.ts";
import type { NotificationChoices } from "#contract/notifications/rows.ts";
import type { Config } from "#server/process/config.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { carries, contactsOnFile } from "./channels.ts";

type Settings = Pick<Config, "demo" | "smtpUrl" | "smsUrl">;

const ofProfessionals: ReadonlySet<ChoosableKind> = new Set([
  "card",
  "invoice",
  "partnership",
  "contact",
]);
const notOfHolders: ReadonlySet<ChoosableKind> = new Set(["invoice", "partnership"]);

interface Chooser {
  type: 1 | 2;
  email: string | null;
  phonenumber: string | null;
  choices: Record<string, boolean>;
}

/** SQL: the columns of `person` that `toChoices` reads. */
export const chooserColumns = sql`type, email, phonenumber, coalesce((
    select jsonb_object_agg(kind || ' ' || channel, enabled)
    from notification_choice c where c.person_id = person.id), '{}') as choices`;

/** The choices of a person, by kind and channel; defaults where none was made. */
export async function choicesOf(
  { db, config }: { db: Db; config: Settings },
  personId: number,
): Promise<NotificationChoices> {
  const person = await query(db).one(
    sql<Chooser>`select ${chooserColumns} from person where id = ${personId}`,
  );
  return toChoices(config, person);
}

/** The choices of a person read with `chooserColumns`. */
export function toChoices(config: Settings, person: Chooser): NotificationChoices {
  const [usual] = contactsOnFile(config, person);
  const address = { email: person.email, sms: person.phonenumber };
  const stateOf = (channel: Channel): ChannelState => {
    if (!carries(config, channel)) return "off";
    return address[channel] === null ? "no_address" : "ready";
  };
  const isEnabled = (kind: ChoosableKind, channel: Channel) =>
    person.choices[`${kind} ${channel}`] ?? (usuallySent.has(kind) && usual?.channel === channel);
  return {
    channels: channels.map((channel) => ({ channel, state: stateOf(channel) })),
    kinds: choosableKinds
      .filter((kind) => (person.type === 1 ? !notOfHolders.has(kind) : ofProfessionals.has(kind)))
      .map((kind) => ({
        kind,
        email: isEnabled(kind, "email"),
        sms: isEnabled(kind, "sms"),
        bell: bellOptionalKinds.has(kind) ? (person.choices[`${kind} bell`] ?? true) : null,
      })),
  };
}

/** Saves a choice; the last one counts. */
export async function choose(
  db: Db,
  personId: number,
  choice: { kind: ChoosableKind; channel: ChoiceTarget; enabled: boolean },
): Promise<void> {
  const { kind, channel, enabled } = choice;
  await sql`insert into notification_choice (person_id, kind, channel, enabled)
    values (${personId}, ${kind}, ${channel}, ${enabled})
    on conflict (person_id, kind, channel) do update set enabled = excluded.enabled`.execute(db);
}
