// To-dos of the threads with the customer service.
import { type RawBuilder, sql } from "kysely";

/** SQL: answers of the service whose notice is not read (server/portal/home.ts). */
export const contactToDos = (me: number): RawBuilder<unknown> => sql`
  select 'answer' as kind, t.id::text as id, t.person_id, null as "from", t.subject as what,
    null::timestamptz as until
  from contact_thread t
  where t.person_id = ${me} and t.state = 'answered' and exists (select from notification n
    where n.person_id = ${me} and n.read_at is null and n.path = '/contact?fil=' || t.id)`;
