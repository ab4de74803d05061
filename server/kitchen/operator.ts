// Operator commands of canteens: who serves meals, under which group, and opening canteens.
import { sql } from "kysely";
import type { Deadline } from "#contract/kitchen/deadlines.ts";
import { deadlineWords, weekdayNames } from "#contract/kitchen/deadline-words.ts";
import { audienceNames, type Audience } from "#contract/kitchen/states.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { FileRefused, fileResult, readJsonFile } from "#server/process/operator-file.ts";
import {
  commandResult,
  type CommandResult,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { canteensIn } from "./canteen-file.ts";
import { type CanteenDescription, createCanteen, openProvider } from "./kitchen.ts";
import { isOfferedFrom } from "./prices.ts";

/** Commands `npm run operator -- canteens …`. */
export const canteenCommands: readonly OperatorCommand[] = [
  {
    name: "canteens list",
    arguments: [],
    says: "montre qui sert des repas, sous quel groupe d'acceptation, et leurs cantines",
    run: ({ db }) => listCanteens(db),
  },
  {
    name: "canteens show",
    arguments: ["<référence>"],
    says: "montre les cantines d'un prestataire, leurs règles et leurs tarifs",
    run: ({ db, now }, [reference = ""]) =>
      commandResult(() => providerLines(db, reference, parisDay(now()))),
  },
  {
    name: "canteens open",
    arguments: ["<référence>", "<groupe>"],
    says: "fait d'un partenaire un prestataire de repas, payés d'abord par la cagnotte de ce groupe",
    run: ({ db }, [reference = "", slug = ""]) =>
      commandResult(() => inTx(db, (tx) => open(tx, reference, slug))),
  },
  {
    name: "canteens check",
    arguments: ["<fichier.json>"],
    says: "dit ce qu'un import ouvrirait, et les défauts du fichier, sans rien écrire",
    run: (deps, [path = ""]) => importFile(deps, path, { check: true }),
  },
  {
    name: "canteens import",
    arguments: ["<fichier.json>"],
    says: "ouvre les cantines d'un fichier, toutes ou aucune ; celles qui y étaient déjà restent telles quelles",
    run: (deps, [path = ""]) => importFile(deps, path, { check: false }),
  },
];

async function listCanteens(db: Db): Promise<CommandResult> {
  const { rows } = await sql<{
    reference: string;
    provider: string;
    slug: string;
    name: string | null;
    town: string | null;
    seats: number | null;
  }>`
    select s.reference, s.name as provider, g.slug, c.name, c.town, c.seats
    from canteen_provider v join partner s on s.id = v.partner_id
    join acceptance_group g on g.id = v.group_id left join canteen c on c.provider_id = v.id
    order by s.reference, c.name collate "fr-x-icu"`.execute(db);
  const lines = rows.map(
    ({ reference, provider, slug, name, town, seats }) =>
      `${reference.padEnd(30)}  ${provider} (${slug})  ` +
      (name === null ? "aucune cantine" : `${name}, ${town}  ${plural(seats ?? 0, "place")}`),
  );
  return { ok: true, lines: lines.length > 0 ? lines : ["Personne ne sert de repas."] };
}

async function providerLines(db: Db, reference: string, today: string): Promise<string[]> {
  const provider = await providerOf(db, reference);
  const { rows } = await sql<
    Omit<CanteenDescription, "prices"> & {
      prices: { name: string; audience: Audience; cents: number; from: string | null }[];
    }
  >`select c.name, c.kind, c.street, c.postcode, c.town, c.lat, c.lon, c.zone,
      array(select n from generate_series(0, 6) n where c.weekdays >> n & 1 = 1) as weekdays,
      to_char(c.serves_from, 'HH24:MI') as serves_from,
      to_char(c.serves_until, 'HH24:MI') as serves_until, c.seats, c.classes,
      c.order_deadline, c.cancel_deadline,
      coalesce((select json_agg(json_build_object('name', p.name, 'audience', p.audience,
          'cents', p.price_cents, 'from', case when p.from_on > ${today}::date then p.from_on end)
          order by p.audience, p.price_cents desc)
        from canteen_price p
        where p.canteen_id = c.id and ${isOfferedFrom(today)}), '[]') as prices
    from canteen c where c.provider_id = ${provider.id}
    order by c.name collate "fr-x-icu"`.execute(db);
  return [
    `${reference}  ${provider.name}, ${provider.company ?? "sans entreprise"}  groupe ${provider.slug}`,
    ...(rows.length === 0 ? ["Aucune cantine."] : []),
    ...rows.flatMap(({ prices, ...one }) => [
      ...canteenLines(one),
      ...prices.map(
        ({ name, audience, cents, from }) =>
          `  tarif         ${name}, ${audienceNames[audience].toLowerCase()}  ${formatMoney(cents)}` +
          (from ? ` à partir du ${formatDate(from)}` : ""),
      ),
    ]),
  ];
}

const deadlineLine = (title: string, rule: Deadline) =>
  `  ${title.padEnd(14)}${deadlineWords(rule).replace(/,(?= à)/, "")}`;

function canteenLines(one: Omit<CanteenDescription, "prices">): string[] {
  const days = one.weekdays.toSorted((a, b) => a - b).map((day) => weekdayNames[day]);
  return [
    `${one.name}, ${one.street}, ${one.postcode} ${one.town}`,
    `  ${one.kind === "school" ? `école, zone ${one.zone}` : "restaurant"}  ${days.join(", ")}  ` +
      `${one.servesFrom} – ${one.servesUntil}  ${plural(one.seats, "place")}`,
    ...(one.classes.length > 0 ? [`  classes       ${one.classes.join(", ")}`] : []),
    deadlineLine("commande", one.orderDeadline),
    deadlineLine("annulation", one.cancelDeadline),
  ];
}

interface Provider {
  id: number;
  name: string;
  company: string | null;
  slug: string;
}

async function providerOf(db: Db, reference: string): Promise<Provider> {
  const found = await query(db).maybeOne(sql<Provider>`
    select v.id, s.name, c.name as company, g.slug
    from canteen_provider v join partner s on s.id = v.partner_id
    join acceptance_group g on g.id = v.group_id left join company c on c.id = s.company_id
    where s.reference = ${reference}`);
  if (!found) {
    throw new Problem("invalid_input", {
      what: `${reference} ne sert pas de repas (canteens list, canteens open)`,
    });
  }
  return found;
}

/** Makes a partner with a company serve meals under a group of its own; the sheet then accepts that group. */
async function open(tx: Tx, reference: string, slug: string): Promise<string[]> {
  const found = await query(tx).maybeOne(sql<{
    name: string;
    company: string | null;
    groupId: number | null;
    own: string | null;
    holder: string | null;
  }>`select s.name, c.name as company, g.id as group_id, mine.slug as own, other.reference as holder
    from partner s left join company c on c.id = s.company_id
    left join acceptance_group g on g.slug = ${slug}
    left join canteen_provider v on v.partner_id = s.id
    left join acceptance_group mine on mine.id = v.group_id
    left join canteen_provider taken on taken.group_id = g.id
    left join partner other on other.id = taken.partner_id
    where s.reference = ${reference}`);
  const refused = (what: string) => new Problem("invalid_input", { what });
  if (!found) throw refused(`aucune fiche ne porte la référence ${reference} (partners list)`);
  if (found.company === null) {
    throw refused(`${reference} n'est d'aucune entreprise : personne n'ouvrirait sa cantine`);
  }
  if (found.groupId === null) throw refused(`le groupe ${slug} n'existe pas (groups list)`);
  if (found.own !== null) throw refused(`${reference} sert déjà des repas, groupe ${found.own}`);
  if (found.holder !== null) {
    throw refused(`le groupe ${slug} est celui de ${found.holder} : à chacun le sien`);
  }
  await openProvider(tx, { partnerReference: reference, groupId: found.groupId });
  await sql`insert into partner_group select id, ${found.groupId} from partner
    where reference = ${reference} on conflict do nothing`.execute(tx);
  return [
    `${found.name}, ${found.company}  sert des repas, groupe ${slug}`,
    "Ouvrez maintenant ses cantines : canteens check, puis canteens import.",
  ];
}

function importFile(
  { db }: OperatorDeps,
  path: string,
  { check }: { check: boolean },
): Promise<CommandResult> {
  return fileResult(async () => {
    const { provider: reference, canteens } = canteensIn(await readJsonFile(path));
    return await inTx(db, async (tx) => {
      const provider = await lockProvider(tx, reference);
      const { rows } = await sql<{ name: string }>`
        select lower(name) as name from canteen where provider_id = ${provider}`.execute(tx);
      const known = new Set(rows.map(({ name }) => name));
      const isKnown = ({ name }: CanteenDescription) => known.has(name.trim().toLowerCase());
      const fresh = canteens.filter((one) => !isKnown(one));
      if (!check) for (const one of fresh) await createCanteen(tx, provider, one);
      const existingLines = canteens
        .filter(isKnown)
        .map(({ name }) => `${name}  déjà là, telle quelle`);
      const count = plural(
        fresh.length,
        check ? "cantine à ouvrir" : "cantine ouverte",
        check ? "cantines à ouvrir" : "cantines ouvertes",
      );
      return [
        ...fresh.flatMap((one) => [
          ...canteenLines(one),
          `  ${plural(one.prices.length, "tarif")}`,
        ]),
        ...existingLines,
        `${count}.`,
        ...(check ? ["Rien n'est écrit : c'est un essai."] : []),
      ];
    });
  });
}

/** Locks the provider: of two imports at once, the second waits, and no canteen is opened twice. */
async function lockProvider(tx: Tx, reference: string): Promise<number> {
  const found = await query(tx).maybeOne(sql<{ id: number }>`
    select v.id from canteen_provider v join partner s on s.id = v.partner_id
    where s.reference = ${reference} for update of v`);
  if (found) return found.id;
  throw new FileRefused([`${reference} ne sert pas encore de repas : canteens open d'abord.`]);
}
