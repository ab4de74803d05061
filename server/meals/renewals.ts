// The end of a school year at canteens. A daily job ends the registrations whose last day is over; from June
// on it reminds families to renew while the canteen has time to answer.
import { sql } from "kysely";
import { renewal } from "#contract/meals/limits.ts";
import { parisDay } from "#contract/days.ts";
import { firstName, formatDate, ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { inTx } from "#server/db/db.ts";
import { eachRow } from "#server/db/each-row.ts";
import { query } from "#server/db/query.ts";
import { schoolRightEnd } from "#server/entitlements/entitlements.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";

interface ExpiringRegistration {
  id: string;
  personId: number;
  name: string;
  canteen: string;
  untilOn: string;
  /** Of the provider's page, where the renewal is requested. */
  slug: string;
  groupId: number;
  wasAccepted: boolean;
}

// Columns of a registration `r` that ends with a school year, for the notices about it.
const endingColumns = sql`r.id, r.person_id, p.name, c.name as canteen,
  to_char(r.until_on, 'YYYY-MM-DD') as until_on, g.slug, g.id as group_id,
  r.state = 'accepted' as was_accepted`;
const endingTables = sql`canteen_registration r join canteen c on c.id = r.canteen_id
  join canteen_provider v on v.id = c.provider_id join acceptance_group g on g.id = v.group_id
  join person p on p.id = r.person_id`;
// Whether the next year was requested, whatever the canteen answered.
const isRenewed = sql`exists (select from canteen_registration n
  where n.canteen_id = r.canteen_id and n.person_id = r.person_id and n.state <> 'ended'
    and n.until_on > r.until_on)`;

const pageOf = ({ slug, groupId, id }: ExpiringRegistration) =>
  linkTo(paths.canteenProvider, { name: slug, idgroup: groupId }, { renew: id });

/**
 * Ends the registrations and requests whose last day is over, `atOnce` read together; tells people who have
 * not requested the next year.
 */
export async function endRegistrations(deps: Deps, atOnce?: { atOnce: number }): Promise<void> {
  const at = deps.now();
  const due = async (after: string | null, limit: number) => {
    const { rows } = await sql<ExpiringRegistration & { renewed: boolean }>`
      select ${endingColumns}, ${isRenewed} as renewed from ${endingTables}
      where r.state in ('requested', 'accepted') and r.until_on < ${parisDay(at)}::date
        and (${after}::uuid is null or r.id > ${after}::uuid)
      order by r.id limit ${limit}`.execute(deps.db);
    return rows;
  };
  const end = (one: ExpiringRegistration & { renewed: boolean }) =>
    inTx(deps.db, async (tx) => {
      const ended = await query(tx).maybeOne(sql<{ id: string }>`
        update canteen_registration set state = 'ended', ended_at = ${at}
        where id = ${one.id} and state in ('requested', 'accepted') returning id`);
      if (!ended || one.renewed) return;
      const whose = `${ofName(firstName(one.name))} à la cantine ${one.canteen}`;
      const until = formatDate(one.untilOn);
      await announceMeal(tx, deps, [one.personId], {
        title: "Inscription terminée",
        body: one.wasAccepted
          ? `L’inscription ${whose} s’est terminée le ${until}. Réinscrivez pour commander d’autres repas.`
          : `La demande d’inscription ${whose} est restée sans réponse jusqu’au ${until}. Demandez-la de nouveau.`,
        path: pageOf(one),
        alsoOutside: true,
        at,
      });
    });
  await eachRow(due, end, atOnce);
}

/**
 * Reminds families whose registration ends this summer to request the next year: in June, and before
 * September, `atOnce` read together. Not for a provider that the operator has frozen: nothing can be ordered
 * there.
 */
export async function remindOfRenewals(deps: Deps, atOnce?: { atOnce: number }): Promise<void> {
  const at = deps.now();
  const today = parisDay(at);
  const round = today.slice(5) < renewal.lastReminderFrom ? "first" : "last";
  const due = async (after: string | null, limit: number) => {
    const { rows } = await sql<ExpiringRegistration>`
      select ${endingColumns} from ${endingTables} join partner s on s.id = v.partner_id
      where r.state = 'accepted' and s.frozen_at is null and r.until_on >= ${today}::date
        and r.until_on < ${schoolRightEnd(sql`${today}::date`)} and not ${isRenewed}
        and not exists (select from meal_notice t where t.person_id = r.person_id
          and t.about = 'renewal ' || r.id || ' ' || ${round})
        and (${after}::uuid is null or r.id > ${after}::uuid)
      order by r.id limit ${limit}`.execute(deps.db);
    return rows;
  };
  const remind = (one: ExpiringRegistration) =>
    inTx(deps.db, async (tx) => {
      const noticeRow = await query(tx).maybeOne(sql<{ about: string }>`
        insert into meal_notice (person_id, about, notified_at)
        values (${one.personId}, ${`renewal ${one.id} ${round}`}, ${at})
        on conflict do nothing returning about`);
      if (!noticeRow) return;
      const until = formatDate(one.untilOn);
      await announceMeal(tx, deps, [one.personId], {
        title: `Cantine\u202f: pensez à la réinscription ${ofName(firstName(one.name))}`,
        body: `L’inscription à la cantine ${one.canteen} s’arrête le ${until}. Demandez dès maintenant celle de la prochaine année scolaire.`,
        path: pageOf(one),
        alsoOutside: true,
        at,
      });
    });
  await eachRow(due, remind, atOnce);
}
