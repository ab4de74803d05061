// Operator commands of employers' transport: companies that pay a share, one with its employees and months,
// and an enrolment that the operator suspends, resumes or ends.
import { sql } from "kysely";
import { type EnrolmentState, enrolmentStateNames } from "#contract/commuting/states.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, formatMonth, plural } from "#contract/french.ts";
import { companyOf } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";
import { operateEnrolment, type EnrolmentAction } from "./enrolments.ts";

const maxListed = 500;

const actionCommand = (name: string, what: EnrolmentAction, says: string): OperatorCommand => ({
  name,
  arguments: ["<inscription>", "<motif>"],
  says,
  run: (deps, [number = "", reason = ""], operator) =>
    commandResult(async () => {
      const input = { number: numberArgument(number), why: reasonArgument(reason), operator };
      const { name: bearer, company, state } = await operateEnrolment(deps, what, input);
      return [`${number}  ${bearer}, ${company}  ${enrolmentStateNames[state]}`];
    }),
});

/** Commands `npm run operator -- commuting …`. */
export const commutingCommands: readonly OperatorCommand[] = [
  {
    name: "commuting list",
    arguments: [],
    says: "montre les employeurs qui paient une part des transports, leurs salariés et ce qui n'est pas payé",
    run: ({ db, now }) => commandResult(() => planLines(db, now())),
  },
  {
    name: "commuting show",
    arguments: ["<carte>"],
    says: "montre, d'une entreprise, les inscriptions de ses salariés et les mois facturés",
    run: ({ db, now }, [card = ""]) => commandResult(() => companyLines(db, card, now())),
  },
  actionCommand(
    "commuting suspend",
    "suspend",
    "suspend une inscription\u202f; le salarié et l'entreprise sont prévenus",
  ),
  actionCommand(
    "commuting resume",
    "resume",
    "fait reprendre une inscription suspendue\u202f; les deux sont prévenus",
  ),
  actionCommand(
    "commuting end",
    "end",
    "met fin à une inscription, ou en retire la demande\u202f; les deux sont prévenus",
  ),
];

async function planLines(db: Db, at: Date): Promise<string[]> {
  const { rows } = await sql<{
    company: string;
    offer: string;
    percent: number;
    active: number;
    invited: number;
    openCents: number;
  }>`
    select c.name as company, t.name as offer, p.employer_percent as percent,
      (select count(*)::int from commuting_enrolment e
        where e.plan_id = p.id and e.state in ('active', 'suspended')) as active,
      (select count(*)::int from commuting_enrolment e
        where e.plan_id = p.id and e.state = 'invited' and e.expires_at > ${at}) as invited,
      (select coalesce(sum(b.due_cents - b.settled_cents), 0)::bigint from commuting_statement s
        join invoice_balance b on b.invoice_id = s.invoice_id
        where s.company_id = p.company_id) as open_cents
    from commuting_plan p join company c on c.id = p.company_id
    join transport_service t on t.id = p.service_id
    order by c.name collate "fr-x-icu", t.name limit ${maxListed}`.execute(db);
  const lines = rows.map(
    ({ company, offer, percent, active, invited, openCents }) =>
      `${company}  ${offer}  ${percent}\u202f%  ${plural(active, "salarié")}, ${plural(invited, "demande")} en attente  reste à payer ${formatMoney(openCents)}`,
  );
  return lines.length > 0 ? lines : ["Aucun employeur."];
}

async function companyLines(db: Db, card: string, at: Date): Promise<string[]> {
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select person_id as id from card where number = ${numberArgument(card)}`);
  const company = found && (await companyOf(db, found.id));
  if (!company) throw new Problem("company_missing");
  const { companyId, name } = company;
  const { rows } = await sql<{
    number: number;
    name: string;
    cardnumber: number;
    state: EnrolmentState;
    since: Date;
  }>`
    select e.number, e.name, e.cardnumber,
      case when e.state = 'invited' and e.expires_at <= ${at} then 'expired' else e.state end as state,
      coalesce(e.ended_at, e.suspended_at, e.accepted_at, e.invited_at) as since
    from commuting_enrolment e join commuting_plan p on p.id = e.plan_id
    where p.company_id = ${companyId} order by e.number desc limit ${maxListed}`.execute(db);
  const { rows: months } = await sql<{
    month: string;
    purchases: number;
    invoicedCents: number;
    invoice: string | null;
    openCents: number | null;
  }>`
    select s.month, s.purchases, s.invoiced_cents, i.number as invoice,
      b.due_cents - b.settled_cents as open_cents
    from commuting_statement s left join invoice i on i.id = s.invoice_id
    left join invoice_balance b on b.invoice_id = s.invoice_id
    where s.company_id = ${companyId} order by s.month desc limit 24`.execute(db);
  return [
    name,
    ...rows.map(
      (one) =>
        `  ${one.number}  ${one.name}, carte …${String(one.cardnumber).slice(-4)}  ${enrolmentStateNames[one.state]} (${formatDate(one.since)})`,
    ),
    ...months.map(
      ({ month, purchases, invoicedCents, invoice, openCents }) =>
        `  ${formatMonth(month)}\u202f: ${plural(purchases, "titre")}, ${formatMoney(invoicedCents)}, facture ${invoice ?? "à émettre"}, reste ${formatMoney(openCents ?? 0)}`,
    ),
  ];
}
