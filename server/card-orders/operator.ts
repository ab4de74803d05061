// Operator commands of card orders: list, show, export for the printer, acknowledge, ship,
// deliver, lost, refuse, prices.
import { sql } from "kysely";
import { cardInkNames } from "#contract/card-orders/limits.ts";
import { cardOrderCan, cardOrderStateNames } from "#contract/card-orders/states.ts";
import { cardStateNames } from "#contract/cards/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { vatCodes, vatRates } from "#contract/invoices/vat.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { makeBatch, maxCardsInBatch, type OrderBatch, reprintBatch } from "#server/cards/cards.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
  reasonArgument,
} from "#server/process/room.ts";
import { cardsOf } from "./views.ts";
import {
  acknowledgeOrder,
  deliverOrder,
  previewLoss,
  loseOrder,
  makeOrderedCards,
  markInProduction,
  refuseOrder,
  shipOrder,
} from "./lifecycle.ts";
import {
  type CardOrderRow,
  cardOrdersWhere,
  cardPrices,
  deliveryOf,
  designOf,
  quantityOf,
} from "./orders.ts";

/** Commands `npm run operator -- card-orders …`. */
export const cardOrderCommands: readonly OperatorCommand[] = [
  {
    name: "card-orders list",
    arguments: [],
    says: "montre les commandes de cartes pro en cours, la plus ancienne d'abord",
    run: async ({ db }) => {
      const waiting = sql`o.state in ('ordered', 'in_production', 'shipped')`;
      const lines = [];
      for (const row of (await cardOrdersWhere(db, waiting)).toReversed()) {
        lines.push(await lineOf(db, row));
      }
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune commande en cours."] };
    },
  },
  {
    name: "card-orders show",
    arguments: ["<commande>"],
    says: "montre une commande : ce qui est imprimé, pour qui, l'adresse, le prix, l'état",
    run: ({ db }, [order = ""]) => commandResult(() => orderLines(db, numberArgument(order))),
  },
  {
    name: "card-orders export",
    arguments: ["<commande>", "<dossier>"],
    says: "écrit les fichiers de l'imprimeur (liste CSV, lettres PDF) et met les cartes en fabrication ; une seconde fois, les écrit à nouveau",
    run: (deps, [order = "", folder = ""], operator) =>
      commandResult(() => exportOrder(deps, { number: numberArgument(order), folder, operator })),
  },
  {
    name: "card-orders acknowledge",
    arguments: ["<commande>", "<référence>"],
    says: "note que l'imprimeur a bien reçu les fichiers, avec sa référence",
    run: (deps, [order = "", reference = ""], operator) =>
      commandResult(async () => {
        const target = { number: numberArgument(order), operator };
        const row = await acknowledgeOrder(deps, { ...target, reference: wordArgument(reference) });
        return [`Commande ${row.number}  reçue par l'imprimeur`];
      }),
  },
  {
    name: "card-orders ship",
    arguments: ["<commande>", "<transporteur>", "[<colis>]"],
    says: "note que le colis est parti, et prévient l'entreprise",
    run: (deps, [order = "", carrier = "", tracking], operator) =>
      commandResult(async () => {
        const row = await shipOrder(deps, {
          number: numberArgument(order),
          operator,
          carrier: wordArgument(carrier),
          tracking: tracking === undefined ? null : wordArgument(tracking),
        });
        return [`Commande ${row.number}  expédiée`];
      }),
  },
  {
    name: "card-orders deliver",
    arguments: ["<commande>"],
    says: "note que le colis est arrivé, si l'entreprise ne le dit pas elle-même",
    run: (deps, [order = ""], operator) =>
      commandResult(async () => {
        const row = await deliverOrder(deps, { number: numberArgument(order), operator });
        return [`Commande ${row.number}  livrée`];
      }),
  },
  {
    name: "card-orders lost",
    arguments: ["<commande>", "[<motif>]"],
    says: "montre ce qu'un colis perdu entraîne ; avec un motif, le note : la commande reprend au même prix, ses secrets n'ouvrent rien, l'entreprise attend ou annule",
    run: (deps, [order = "", reason], operator) =>
      commandResult(async () => {
        const number = numberArgument(order);
        if (reason === undefined) return await lossLines(deps, number);
        await loseOrder(deps, { number, operator, reason: reasonArgument(reason) });
        return [`Commande ${number}  perdue, à fabriquer de nouveau (export)`];
      }),
  },
  {
    name: "card-orders refuse",
    arguments: ["<commande>", "<motif>"],
    says: "refuse une commande qui n'est pas à l'imprimeur : ses cartes sont reprises, son argent est rendu, ses responsables lisent le motif",
    run: (deps, [order = "", reason = ""], operator) =>
      commandResult(async () => {
        const target = { number: numberArgument(order), operator };
        const { row, back } = await refuseOrder(deps, {
          ...target,
          reason: reasonArgument(reason),
        });
        return [`Commande ${row.number}  refusée  ${back}`];
      }),
  },
  {
    name: "card-orders prices",
    arguments: ["[<dès=centimes,…>]", "[<livraison en centimes>]", "[<offerte dès>]", "[<TVA>]"],
    says: "montre les prix hors taxes des cartes, ou les change, par exemple 1=490,10=390 990 50 normal",
    run: (deps, args) =>
      commandResult(async () => {
        const [tiers, delivery, free, vat] = args;
        if (tiers !== undefined) await writePrices(deps.db, { tiers, delivery, free, vat });
        return await priceLines(deps.db);
      }),
  },
];

/** A short text of an argument; refuses `invalid_input` when it is blank or too long. */
function wordArgument(text: string): string {
  const word = text.trim();
  if (word === "" || word.length > 60) throw new Problem("invalid_input", { what: "texte" });
  return word;
}

async function lineOf(db: Db, row: CardOrderRow): Promise<string> {
  const { name } = await companyOfOrder(db, row);
  const at = row.orderedAt ? formatDate(row.orderedAt) : "";
  return `${row.number}  ${at}  ${name}  ${plural(quantityOf(row), "carte")}  ${cardOrderStateNames[row.state]}`;
}

const companyOfOrder = (db: Db, { companyId }: CardOrderRow) =>
  db
    .selectFrom("company")
    .select(["name", "siret"])
    .where("id", "=", companyId)
    .executeTakeFirstOrThrow();

async function requireOrder(db: Db, number: number): Promise<CardOrderRow> {
  const [row] = await cardOrdersWhere(db, sql`o.number = ${number} and o.state <> 'draft'`, 1);
  if (!row) throw new Problem("not_found");
  return row;
}

async function orderLines(db: Db, number: number): Promise<string[]> {
  const row = await requireOrder(db, number);
  const delivery = deliveryOf(row);
  const cards = await cardsOf(db, row);
  return [
    await lineOf(db, row),
    ...printedColumns(row).map(([title, value]) => `${title} : ${value(true)}`),
    `Livraison : ${[delivery?.recipient, delivery?.street, delivery?.postcode, delivery?.town].join(", ")}`,
    `Prix : ${formatMoney(row.price?.totalCents ?? 0)} TTC, ${row.paidBy === "invoice" ? "sur facture" : "payé"}`,
    ...(row.batchNumber === null ? [] : [`Lot : ${row.batchNumber}`]),
    ...(row.printerReference === null ? [] : [`Imprimeur : ${row.printerReference}`]),
    ...(row.carrier === null ? [] : [`Colis : ${row.carrier} ${row.tracking ?? ""}`.trim()]),
    ...cards.map(
      ({ cardnumber, name, state }) =>
        `  ${cardnumber ?? "à fabriquer"}  ${name ?? "sans porteur"}  ${state === null ? "commandée" : cardStateNames[state]}`,
    ),
  ];
}

/** Preview of recording the parcel of an order as lost. */
async function lossLines(deps: OperatorDeps, number: number): Promise<string[]> {
  const row = await previewLoss(deps, number);
  const parcel = [row.carrier, row.tracking].filter((word) => word !== null).join(" ");
  return [
    await lineOf(deps.db, row),
    `Colis ${parcel} : ses lettres n'ouvriraient plus rien ; les cartes seraient fabriquées de nouveau sans ` +
      `rien compter de plus, et jusque-là l'entreprise pourrait annuler et ravoir ${formatMoney(row.price?.totalCents ?? 0)}.`,
    "L'entreprise serait prévenue, en dehors du portail aussi.",
    `Rien n'est noté. Pour le noter : card-orders lost ${number} <motif>`,
  ];
}

/** The columns of the printer's list for each card, besides its number and its bearer. */
function printedColumns(row: CardOrderRow): OrderBatch["columns"] {
  const design = designOf(row);
  if (!design) throw new Error("an order without a design");
  return [
    ["Texte imprimé", () => design.label],
    ["Encre", () => cardInkNames[design.ink]],
    ["Nom imprimé", (hasBearer) => (design.printsNames && hasBearer ? "oui" : "non")],
  ];
}

async function exportOrder(
  deps: OperatorDeps,
  { number, folder, operator }: { number: number; folder: string; operator: string },
): Promise<string[]> {
  const row = await requireOrder(deps.db, number);
  const columns = printedColumns(row);
  const again = cardOrderCan.ship(row) && row.batchNumber !== null;
  if (!again) await inTx(deps.db, (tx) => makeOrderedCards(tx, number, deps.now()));
  const made = again
    ? await reprintBatch(deps, { number: row.batchNumber ?? 0, folder, operator, columns })
    : await makeBatch(deps, {
        folder,
        operator,
        max: maxCardsInBatch,
        order: {
          orderId: row.id,
          columns,
          onMade: (tx, batch) =>
            markInProduction(tx, deps, number, { batch: batch.number, at: batch.at }),
        },
      });
  if (!made) throw new Problem("card_order_state");
  return [
    `Commande ${number}, lot ${made.number} : ${plural(made.cards, "carte")}.`,
    ...made.files,
    "Les lettres contiennent les secrets : imprimez-les, puis effacez le fichier.",
  ];
}

async function priceLines(db: Db): Promise<string[]> {
  const { tiers, deliveryCents, freeDeliveryFrom, vat } = await cardPrices(db);
  return [
    ...tiers.map(
      ({ from, unitCents }) => `dès ${plural(from, "carte")} : ${formatMoney(unitCents)}`,
    ),
    `livraison : ${formatMoney(deliveryCents)}` +
      (freeDeliveryFrom === null ? "" : `, offerte dès ${plural(freeDeliveryFrom, "carte")}`),
    `TVA : ${vatRates[vat].name}`,
  ];
}

const amount = (text: string, what: string): number => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (number < 0 || number > 100_000) throw new Problem("invalid_input", { what });
  return number;
};

function writePrices(
  db: Db,
  prices: { tiers: string } & Record<"delivery" | "free" | "vat", string | undefined>,
): Promise<void> {
  const tiers = prices.tiers.split(",").map((one) => {
    const [from = "", unit = ""] = one.split("=");
    return { from: amount(from, "nombre de cartes"), unit: amount(unit, "centimes") };
  });
  if (!tiers.some(({ from }) => from === 1)) {
    throw new Problem("invalid_input", { what: "prix dès 1 carte" });
  }
  return inTx(db, async (tx) => {
    await sql`delete from card_price`.execute(tx);
    await sql`insert into card_price select * from unnest(
      ${tiers.map(({ from }) => from)}::int[], ${tiers.map(({ unit }) => unit)}::int[])`.execute(
      tx,
    );
    if (prices.vat !== undefined) {
      const vat = vatCodes.find((code) => code === prices.vat);
      if (!vat) throw new Problem("invalid_input", { what: `TVA : ${vatCodes.join(", ")}` });
      await sql`update card_order_terms set vat = ${vat}`.execute(tx);
    }
    if (prices.delivery === undefined) return;
    const free = prices.free === undefined ? null : amount(prices.free, "nombre de cartes");
    await sql`update card_order_terms set delivery_cents = ${amount(prices.delivery, "livraison")},
      free_delivery_from = ${free}`.execute(tx);
  });
}
