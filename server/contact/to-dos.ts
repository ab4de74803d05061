// To-dos of the threads with the customer service.
import { type RawBuilder, sql } from "kysely";
import { paths } from "#contract/paths.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";
import type { HolderHome } from "#server/portal/portal.ts";

const threadPath = sqlLink(paths.contact, {}, { thread: sql.ref("t.id") });
const answerPath = sqlAtPlace(threadPath, "contactAnswer", sql.ref("t.id"));

/** SQL: answers of the service whose notice is not read. */
export const contactToDos = ({ me }: Pick<HolderHome, "me">): RawBuilder<unknown> => sql`
  select 'answer' as kind, t.id::text as id, t.person_id, null as "from", t.subject as what,
    null::timestamptz as until, ${answerPath} as path
  from contact_thread t
  where t.person_id = ${me} and t.state = 'answered' and exists (select from notification n
    where n.person_id = ${me} and n.read_at is null and n.path in (${threadPath}, ${answerPath}))`;

/** SQL: the same to-dos on a professional's home page, six at most. */
export const professionalContactToDos = ({
  me,
}: Pick<HolderHome, "me">): RawBuilder<unknown> => sql`
  (select 'answer' as kind, id, what, null::int as amount_cents from (${contactToDos({ me })}) todo
    order by id limit 6)`;
