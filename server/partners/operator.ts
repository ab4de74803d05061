// Operator commands of the directory and the services: list, show, import a file, hide, freeze.
import { sql } from "kysely";
import { weekdayNames } from "#contract/kitchen/deadline-words.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime } from "#contract/french.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { type Db, inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { importPartners } from "./import-file.ts";
import { answerIdentity, waitingIdentities } from "./identity-request.ts";
import { freezePartner } from "./freezing.ts";
import { noPosition } from "./new-sheet.ts";
import { changeTerms, termsInWords, termsOfSheet } from "./terms.ts";
import {
  commandResult,
  type CommandResult,
  numberArgument,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";

/** Commands `npm run operator -- partners …` and `services …`. */
export const partnerCommands: readonly OperatorCommand[] = [
  {
    name: "partners list",
    arguments: [],
    says: "montre les partenaires de l'annuaire et ce qui est masqué",
    run: async ({ db }) => {
      const { rows } = await sql<{
        reference: string;
        name: string;
        town: string;
        why: string | null;
        frozen: string | null;
      }>`
        select reference, name, town, hidden_why as why, frozen_why as frozen from partner
        order by reference`.execute(db);
      const lines = rows.map(
        ({ reference, name, town, why, frozen }) =>
          `${reference.padEnd(30)}  ${name}, ${town}${why ? `  masqué : ${why}` : ""}` +
          (frozen ? `  gelé : ${frozen}` : ""),
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["L'annuaire est vide."] };
    },
  },
  {
    name: "partners show",
    arguments: ["<référence>"],
    says: "montre une fiche : son entreprise, son adresse, ses groupes, ses horaires, si elle est masquée",
    run: ({ db }, [reference = ""]) => commandResult(() => sheetLines(db, reference)),
  },
  {
    name: "partners check",
    arguments: ["<fichier.json>"],
    says: "dit ce qu'un import changerait, fiche par fiche, sans rien écrire",
    run: ({ db }, [path = ""]) => importPartners(db, path, { check: true }),
  },
  {
    name: "partners import",
    arguments: ["<fichier.json>"],
    says: "ajoute ou remplace les partenaires et offres de transport d'un fichier, tous ou aucun",
    run: ({ db }, [path = ""]) => importPartners(db, path, { check: false }),
  },
  {
    name: "partners hide",
    arguments: ["<référence>", "<motif>"],
    says: "retire un partenaire de l'annuaire, sans l'effacer",
    run: ({ db }, [reference = "", why = ""]) =>
      changed(
        db,
        sql`update partner set hidden_why = ${reasonIn(why)} where reference = ${reference}`,
      ),
  },
  {
    name: "partners unhide",
    arguments: ["<référence>", "[<latitude>]", "[<longitude>]"],
    says: "met ou remet un partenaire dans l'annuaire ; la position, pour une fiche qui n'en a pas",
    run: ({ db }, [reference = "", lat, lon]) =>
      commandResult(() =>
        unhide(db, reference, lat === undefined ? null : positionIn(lat, lon ?? "")),
      ),
  },
  {
    name: "partners freeze",
    arguments: ["<référence>", "<motif>"],
    says: "gèle un partenaire : hors de l'annuaire, et plus aucun de ses billets ne se vend",
    run: (deps, [reference = "", reason = ""], operator) =>
      commandResult(async () => {
        const why = reasonArgument(reason);
        return [`${await freezePartner(deps, { reference, why, operator })}  gelé`];
      }),
  },
  {
    name: "partners unfreeze",
    arguments: ["<référence>"],
    says: "rétablit un partenaire gelé",
    run: (deps, [reference = ""], operator) =>
      commandResult(async () => [
        `${await freezePartner(deps, { reference, why: null, operator })}  rétabli`,
      ]),
  },
  {
    name: "partners requests",
    arguments: [],
    says: "montre les changements de nom ou d'adresse demandés, le plus ancien d'abord",
    run: ({ db }) =>
      commandResult(async () => {
        const lines = (await waitingIdentities(db)).map(
          ({ number, reference, company, before, name, street, postcode, town }) =>
            `${number}  ${reference}  ${company ?? ""}  ${before} → ${name}, ${street}, ${postcode} ${town}`,
        );
        return lines.length > 0 ? lines : ["Aucune demande."];
      }),
  },
  {
    name: "partners approve",
    arguments: ["<demande>", "[<latitude>]", "[<longitude>]"],
    says: "écrit le nom et l'adresse demandés ; la position, pour une autre adresse",
    run: (deps, [request = "", lat, lon], operator) =>
      commandResult(async () => {
        const position = lat === undefined ? null : positionIn(lat, lon ?? "");
        const answer = { number: numberArgument(request), why: null, position, operator };
        return [`${await answerIdentity(deps, answer)}  écrit`];
      }),
  },
  {
    name: "partners refuse",
    arguments: ["<demande>", "<motif>"],
    says: "refuse un changement de nom ou d'adresse, avec le motif que l'entreprise lira",
    run: (deps, [request = "", reason = ""], operator) =>
      commandResult(async () => {
        const why = reasonArgument(reason);
        const answer = { number: numberArgument(request), why, position: null, operator };
        return [`${await answerIdentity(deps, answer)}  refusé`];
      }),
  },
  {
    name: "partners terms",
    arguments: ["<référence>", "[<remise en %>]", "[<commission en %>]"],
    says: "montre les conditions d'un partenaire, ou écrit les suivantes, dès maintenant : la remise de sa caisse et la commission",
    run: (deps, [reference = "", discount, commission = ""], operator) =>
      commandResult(async () => {
        if (discount === undefined) return await shownTerms(deps.db, reference);
        const discountPercent = numberArgument(discount);
        if (discountPercent < 0 || discountPercent > 90) {
          throw new Problem("invalid_input", { what: "remise de 0 à 90 %" });
        }
        const commissionBasisPoints = basisPointsIn(commission);
        const rates = { discountPercent, commissionBasisPoints };
        const terms = await changeTerms(deps, { reference, operator }, rates);
        return [`${reference}  conditions n° ${terms.version} : ${termsInWords(terms)}`];
      }),
  },
  {
    name: "partners points",
    arguments: ["<référence>", "<points par euro>"],
    says: "écrit combien de points la caisse d'un partenaire donne par euro, dès maintenant",
    run: (deps, [reference = "", points = ""], operator) =>
      commandResult(async () => {
        const pointsPerEuro = numberArgument(points);
        if (pointsPerEuro < 0 || pointsPerEuro > loyalty.maxPerEuro) {
          throw new Problem("invalid_input", { what: `points de 0 à ${loyalty.maxPerEuro}` });
        }
        const terms = await changeTerms(deps, { reference, operator }, { pointsPerEuro });
        return [`${reference}  conditions n° ${terms.version} : ${termsInWords(terms)}`];
      }),
  },
  {
    name: "services list",
    arguments: [],
    says: "montre les services du portail et ceux qui sont fermés",
    run: async ({ db }) => {
      const { rows } = await sql<{ code: string; name: string; why: string | null }>`
        select code, name, closed_why as why from service order by place`.execute(db);
      const lines = rows.map(
        ({ code, name, why }) =>
          `${code.padEnd(24)}  ${name}  ${why ? `fermé : ${why}` : "ouvert"}`,
      );
      return { ok: true, lines };
    },
  },
  {
    name: "services close",
    arguments: ["<code>", "<motif>"],
    says: "ferme un service pour l'instant, avec le motif que tous liront",
    run: ({ db }, [code = "", why = ""]) =>
      changed(db, sql`update service set closed_why = ${reasonIn(why)} where code = ${code}`),
  },
  {
    name: "services open",
    arguments: ["<code>"],
    says: "rouvre un service",
    run: ({ db }, [code = ""]) =>
      changed(db, sql`update service set closed_why = null where code = ${code}`),
  },
];

async function shownTerms(db: Db, reference: string): Promise<string[]> {
  const versions = await termsOfSheet(db, reference);
  if (versions.length === 0) return [`${reference}  sans conditions : ni remise ni commission`];
  return versions.map(
    ({ version, from, until, ...terms }) =>
      `${reference}  conditions n° ${version}, du ${formatDateTime(from)}` +
      `${until ? ` au ${formatDateTime(until)}` : ", en vigueur"} : ${termsInWords(terms)}`,
  );
}

async function unhide(
  db: Db,
  reference: string,
  position: { lat: number; lon: number } | null,
): Promise<string[]> {
  return await inTx(db, async (tx) => {
    const found = await query(tx).maybeOne(sql<{ lat: number; lon: number }>`
      select lat, lon from partner where reference = ${reference} for update`);
    const place = position ?? found;
    if (!found || !place) throw new Problem("not_found");
    if (place.lat === noPosition.lat && place.lon === noPosition.lon) {
      throw new Problem("invalid_input", { what: "cette fiche n'a pas de position : donnez-la" });
    }
    await sql`update partner set hidden_why = null, lat = ${place.lat}, lon = ${place.lon}
      where reference = ${reference}`.execute(tx);
    return ["C'est fait."];
  });
}

async function sheetLines(db: Db, reference: string): Promise<string[]> {
  const sheet = await query(db).maybeOne(sql<{
    name: string;
    company: string | null;
    category: string;
    street: string;
    postcode: string;
    town: string;
    lat: number;
    lon: number;
    phone: string | null;
    email: string | null;
    website: string | null;
    groups: string[];
    hours: { weekday: number; opens: string; closes: string }[];
    hidden: string | null;
    frozen: string | null;
  }>`select p.name, c.name as company, k.name as category, p.street, p.postcode, p.town, p.lat, p.lon,
      p.phone, p.email, p.website, p.hidden_why as hidden, p.frozen_why as frozen,
      array(select g.slug from partner_group a join acceptance_group g on g.id = a.group_id
        where a.partner_id = p.id order by g.id) as groups,
      coalesce((select json_agg(json_build_object('weekday', weekday,
          'opens', to_char(opens, 'HH24:MI'), 'closes', to_char(closes, 'HH24:MI'))
          order by weekday, opens)
        from partner_hours where partner_id = p.id), '[]') as hours
    from partner p join partner_category k on k.id = p.category_id
    left join company c on c.id = p.company_id where p.reference = ${reference}`);
  if (!sheet) throw new Problem("not_found");
  const contact = [sheet.phone, sheet.email, sheet.website].filter((one) => one !== null);
  return [
    `${reference}  ${sheet.name}`,
    ...(sheet.hidden === null ? [] : [`masqué : ${sheet.hidden} (partners unhide)`]),
    ...(sheet.frozen === null ? [] : [`gelé : ${sheet.frozen} (partners unfreeze)`]),
    `entreprise  ${sheet.company ?? "aucune"}`,
    `catégorie   ${sheet.category}`,
    `adresse     ${sheet.street}, ${sheet.postcode} ${sheet.town}  (${sheet.lat}, ${sheet.lon})`,
    `contact     ${contact.join(", ") || "aucun"}`,
    `groupes     ${sheet.groups.join(", ") || "aucun"}`,
    ...(sheet.hours.length === 0 ? ["horaires    aucun"] : []),
    ...sheet.hours.map(
      ({ weekday, opens, closes }) => `  ${weekdayNames[weekday - 1]}  ${opens} – ${closes}`,
    ),
  ];
}

/** A position in degrees; refuses `invalid_input` for any other text. */
function positionIn(lat: string, lon: string): { lat: number; lon: number } {
  const [north, east] = [lat, lon].map((one) =>
    /^-?\d{1,3}([.,]\d+)?$/.test(one) ? Number(one.replace(",", ".")) : Number.NaN,
  ) as [number, number];
  if (!(Math.abs(north) <= 90 && Math.abs(east) <= 180)) {
    throw new Problem("invalid_input", { what: "latitude et longitude" });
  }
  return { lat: north, lon: east };
}

/** « 2,5 » or « 2.5 » percent in hundredths of a percent, 0 to 30 %. */
function basisPointsIn(text: string): number {
  const percent = /^\d{1,2}(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(",", ".")) : 100;
  if (percent > 30) throw new Problem("invalid_input", { what: "commission de 0 à 30 %" });
  return Math.round(percent * 100);
}

const reasonIn = (text: string) => text.trim().slice(0, 200) || "fermé pour l'instant";

async function changed(db: Db, statement: ReturnType<typeof sql>): Promise<CommandResult> {
  const { numAffectedRows } = await statement.execute(db);
  const ok = numAffectedRows === 1n;
  return { ok, lines: [ok ? "C'est fait." : "Rien ne porte ce nom."] };
}
