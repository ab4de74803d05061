// Requests to join a service in the states that an address or an act brings about.
import { sql } from "kysely";
import { inTx } from "#server/db/db.ts";
import { askToJoin } from "#server/demo/demo.ts";
import type { Deps } from "#server/process/deps.ts";
import { cast } from "#tests/cast.ts";
import { heading, press } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

const address = "/devenir-partenaire";

/** A request that is asked about, of the stranger, and a whole draft of the other guardian. */
export async function furnishMemberships({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  await inTx(db, async (tx) => {
    for (const person of [cast.coGuardian, cast.stranger]) {
      const { cardnumber, name, email, phonenumber: phone } = person;
      const { rows } = await sql<{ id: number }>`
        select person_id as id from card where number = ${cardnumber}`.execute(tx);
      const asker = { personId: rows[0]?.id ?? 0, cardnumber, name, email, phone };
      await askToJoin(tx, asker, now());
      if (person !== cast.coGuardian) continue;
      await sql`update membership set state = 'draft', requested_parts = '{}', submitted_at = null
        where person_id = ${asker.personId}`.execute(tx);
    }
  });
}

export function membershipStates(): Visit[] {
  const route = "/:code_services";
  const fresh = { route, caller: "holder", as: "guardian" } as const;
  const clarification = { route, caller: "holder", as: "stranger" } as const;
  const draft = { route, caller: "holder", as: "coGuardian" } as const;
  return [
    {
      ...fresh,
      state: "entreprise, champs vides",
      address: `${address}?etape=entreprise`,
      act: press("Continuer"),
    },
    { ...draft, state: "représentant", address: `${address}?etape=representant` },
    { ...draft, state: "documents", address: `${address}?etape=documents` },
    { ...draft, state: "code", address: `${address}?etape=code` },
    {
      ...draft,
      state: "relecture",
      address,
      act: heading("Relisez et envoyez"),
    },
    {
      ...clarification,
      state: "précision demandée, réponse vide",
      address,
      act: press("Envoyer ma réponse"),
    },
    { ...clarification, state: "documents à revoir", address: `${address}?etape=documents` },
  ];
}
