// The 18th birthday of a child: from that day on no guardian sees or acts on the card (`current_ties()` in
// SQL, which waits for no job). The daily job tells both sides 30 days before, and ends the ties on the day.
import { sql } from "kysely";
import { addMonths } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { audit } from "#server/identity/identity.ts";
import { lockTiesOf } from "./family.ts";
import { announceToFamily } from "./members.ts";

/** How long before the birthday both sides are told. */
const tellDays = 30;

interface Child {
  id: number;
  name: string;
  bornOn: string | null;
  cardnumber: number;
  /** Without e-mail and phone a lost password cannot be reset on the portal. */
  reachable: boolean;
  /** Whether a password was chosen: until then the secret of the card's letter signs in. */
  signedIn: boolean;
}

const childColumns = sql`p.id, p.name, p.born_on, known.number as cardnumber,
  p.email is not null or p.phonenumber is not null as reachable,
  not p.must_reset or p.password_changed_at is not null as signed_in`;

/** The family's jobs. */
export const comingOfAgeTasks = (deps: Deps) => ({
  follow_birthdays: async () => {
    await announceBirthdays(deps);
    await endGuardianships(deps);
  },
});

/** Schedule (UTC). */
export const comingOfAgeRoutines = [{ task: "follow_birthdays", cron: "35 6 * * *" }] as const;

/** Tells each child who will be 18 within 30 days, and its guardians; for each tie once. */
async function announceBirthdays(deps: Deps): Promise<void> {
  const at = deps.now();
  const { rows } = await sql<Child>`
    select ${childColumns} from person p cross join lateral current_card(p.id) known
    where not of_age(p.born_on) and p.disabled_at is null
      and p.born_on + interval '18 years'
        <= paris_day(${at}::timestamptz) + ${tellDays}::int
      and exists (select from family_tie t where t.member_id = p.id and t.role = 'child'
        and t.birthday_notified_at is null)
    order by p.id limit 1000`.execute(deps.db);
  for (const child of rows) await inTx(deps.db, (tx) => announceBirthday(tx, deps, child, at));
}

async function announceBirthday(tx: Tx, deps: Deps, child: Child, at: Date): Promise<void> {
  await lockTiesOf(tx, child.id);
  const { rows } = await sql<{ id: number }>`
    update family_tie set birthday_notified_at = ${at}
    where member_id = ${child.id} and role = 'child' and birthday_notified_at is null
    returning guardian_id as id`.execute(tx);
  // Another server told them meanwhile.
  if (rows.length === 0 || child.bornOn === null) return;
  const day = formatDate(addMonths(child.bornOn, 18 * 12));
  const news = { title: "Bientôt 18 ans", at, channels: "outside" } as const;
  const change = `Le ${day}, jour de vos 18 ans, votre carte ne dépendra plus que de vous : personne d’autre ne la verra ni n’agira pour elle.`;
  await announceToFamily(tx, deps, [child.id], {
    ...news,
    body: `${change} ${ownContacts(child)}`,
    path: paths.contactDetails,
  });
  const end = `${child.name} aura 18 ans le ${day}. Ce jour-là vous ne verrez plus sa carte et n’agirez plus pour elle ; vous pourrez toujours lui envoyer de l’argent.`;
  const contacts = child.reachable
    ? "D’ici là, vérifiez sur sa page que l’e-mail et le téléphone sont les siens, et non les vôtres."
    : "D’ici là, ajoutez sur sa page son e-mail ou son téléphone : c’est par là que se remplace un mot de passe oublié.";
  await announceToFamily(tx, deps, idsOf(rows), {
    ...news,
    body: [end, contacts, ...firstSignIn(deps, child)].join(" "),
    path: linkTo(paths.familyMember, { cardnumber: child.cardnumber }),
  });
}

/**
 * Ends the ties of each child who is 18, and tells both sides that no guardian acts for their card any more.
 */
async function endGuardianships(deps: Deps): Promise<void> {
  const at = deps.now();
  const { rows } = await sql<Child>`
    select ${childColumns} from person p cross join lateral current_card(p.id) known
    where of_age(p.born_on)
      and exists (select from family_tie t where t.member_id = p.id and t.role = 'child')
    order by p.id limit 1000`.execute(deps.db);
  for (const child of rows) await inTx(deps.db, (tx) => endGuardianship(tx, deps, child, at));
}

async function endGuardianship(tx: Tx, deps: Deps, child: Child, at: Date): Promise<void> {
  await lockTiesOf(tx, child.id);
  const { rows } = await sql<{ id: number }>`
    update family_tie set role = 'relative' where member_id = ${child.id} and role = 'child'
    returning guardian_id as id`.execute(tx);
  // Another server did it meanwhile.
  if (rows.length === 0) return;
  await closeWhatGuardiansLeft(tx, child.id, at);
  const line = { action: "family.of_age", actor: "system", address: null, at };
  await audit(tx, { ...line, personId: child.id });
  const news = { at, channels: "outside" } as const;
  const change =
    "Votre carte ne dépend plus que de vous : personne d’autre ne la voit ni n’agit pour elle, et ses plafonds sont levés. Le quotient familial qui compte pour vos prix est désormais le vôtre : envoyez-le depuis «\u00a0Droits et justificatifs\u00a0».";
  await announceToFamily(tx, deps, [child.id], {
    ...news,
    title: "Vous avez 18 ans",
    body: `${change} ${ownContacts(child)}`,
    path: paths.contactDetails,
  });
  const end =
    "Vous ne voyez plus sa carte et n’agissez plus pour elle. Votre lien de famille reste : vous pouvez toujours lui envoyer de l’argent.";
  await announceToFamily(tx, deps, idsOf(rows), {
    ...news,
    title: `${child.name} a 18 ans`,
    body: [end, ...firstSignIn(deps, child)].join(" "),
  });
}

async function closeWhatGuardiansLeft(tx: Tx, child: number, at: Date): Promise<void> {
  await tx.deleteFrom("memberLimit").where("personId", "=", child).execute();
  await sql`update custody set state = 'withdrawn', answered_at = ${at}
    where child_id = ${child} and state = 'proposed'`.execute(tx);
  await sql`update family_invitation set state = 'expired' where state = 'open'
    and (child_id = ${child} or (invitee_id = ${child} and role = 'child'))`.execute(tx);
}

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

const ownContacts = ({ reachable }: Child): string =>
  reachable
    ? "Vérifiez dans votre profil que l’e-mail et le téléphone sont bien les vôtres."
    : "Ajoutez un e-mail ou un téléphone à votre profil : c’est par là que se remplace un mot de passe oublié.";

/** Advice for a person who never signed in: how to do it. */
function firstSignIn({ config }: Deps, { signedIn }: Child): string[] {
  if (signedIn) return [];
  const another = config.supportPhone
    ? `appelez le ${config.supportPhone}`
    : "demandez-en un autre au service clients";
  return [
    `La première connexion se fait avec le secret du courrier de la carte ; s’il est perdu, ${another}.`,
  ];
}
