// Buying a pass and its later states: money and pass are booked together or not at all, the price that was
// shown, one pass of a kind at a time, and a QR that nobody else can make.
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, dayMs, daysBetween, parisDay } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { verify } from "#server/ledger/ledger.ts";
import { onOpposed } from "#server/cards/cards.ts";
import { openWallet } from "#server/wallet/wallet.ts";
import { approve, approveIfRequired } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { refusedAsTieEnds, tieAgain } from "#tests/family-ties.ts";
import { scratchFolder } from "#tests/scratch.ts";
import { openTestServer, type Answered, type Client, type TestServer } from "#tests/test-server.ts";
import { whileHeld } from "#tests/row-locks.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { checkPassQr } from "./control.ts";
import { passTasks, putOnSale } from "./passes.ts";
import { passCommands } from "./operator.ts";

let server: TestServer;
let camille: Client;
let hugo: Client;
let wallet: string;
let group: number;
const own: number = cast.guardian.cardnumber;
const leo: number = cast.child.cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  hugo = await server.as("stranger");
});
afterAll(() => server.close());
beforeEach(async () => {
  const { pool } = server.deps;
  await pool.query(
    "delete from pass; delete from pass_order; delete from notification; delete from limiter",
  );
  await pool.query("update card set state = 'active'");
  camille = await server.as("guardian");
  wallet = await walletOf(camille, own);
  const fares = await camille.get("/api/fares");
  group = fares.body.items.find((one: { name: string }) => one.name === "Réseau du Lagon").idgroup;
  await give("guardian", 20_000);
  server.outbox.length = 0;
});

const walletOf = async (client: Client, cardnumber: number) =>
  (await client.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0].objectID as string;
const balance = async (client = camille, cardnumber = own) =>
  (await client.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0].balanceCents as number;
const today = () => parisDay(server.clock.now());

/** A draft ready to be paid. */
async function drafted(product: string, cardnumber = own, client = camille, startOn?: string) {
  const begun = await client.post("/api/passes/orders", { product, cardnumber });
  expect(begun.status, begun.text).toBe(201);
  const path = `/api/passes/orders/${begun.body.id}`;
  const first = begun.body.start.from as string;
  const changed = await client.post(path, { startOn: startOn ?? first });
  expect(changed.status, changed.text).toBe(200);
  return { path, order: changed.body };
}
const payment = (order: Record<string, any>, change: Record<string, unknown> = {}) => ({
  revision: order["revision"],
  totalCents: order["price"].totalCents,
  objectID: wallet,
  method: "wallet",
  ...change,
});
async function bought(product: string, cardnumber = own): Promise<Record<string, any>> {
  const { path, order } = await drafted(product, cardnumber);
  const paid = await approveIfRequired(server, camille, `${path}/pay`, payment(order));
  expect(paid.status, paid.text).toBe(200);
  return (await camille.get(`/api/passes/${paid.body.order.pass}`)).body;
}
const passesOf = async (cardnumber = own) =>
  (await camille.get(`/api/passes?cardnumber=${cardnumber}`)).body.items as Record<string, any>[];
const tokenOf = async (id: string) =>
  (await camille.get(`/api/passes/${id}/qr`)).body.token as string;
const check = (token: string) => checkPassQr(server.deps.db, token, server.deps.now());
const good = async (token: string) => {
  const checked = await check(token);
  return checked && checked.verdict === "valid";
};
const move = () => passTasks(server.deps).update_pass_states();
const run = async (name: string, ...args: string[]) =>
  await passCommands.find((one) => one.name === name)?.run(server.deps, args, "test");
const give = async (name: CastName, cents: number) => {
  await server.deps.pool.query(
    `select ledger_post(true, array[1], array['test:' || gen_random_uuid()],
       array[(select account_id from scheme_account where name = 'payments:sandbox')],
       array[(select l.account_id from wallet_lot l join wallet w on w.id = l.wallet_id
         join card c on c.person_id = w.person_id where c.number = $1 and w.group_id = 1)],
       array[$2::bigint], array['top_up'], array[null]::jsonb[], array[null]::bigint[], array[now()])`,
    [cast[name].cardnumber, cents],
  );
};
const byStatus = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0]);
/** A small photo, uploaded by a person and not attached yet. */
async function paper(client: Client): Promise<string> {
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/documents?name=photo.png",
    headers: { authorization: `Bearer ${client.token}`, "content-type": "image/png" },
    payload: Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id as string;
}
const problem = ({ status, body }: Answered<any>) => [status, body["code"]];

describe("what is sold", () => {
  test("each price comes with its reason, for this card", async () => {
    const of = async (cardnumber: number) =>
      (await camille.get(`/api/fares/${group}?cardnumber=${cardnumber}`)).body.items.map(
        (one: Record<string, any>) => [one["id"], one["price"].cents, one["price"].reason],
      );
    expect(await of(own)).toContainEqual([
      "lagon-mois",
      4400,
      "Plein tarif : aucun quotient familial validé.",
    ]);
    expect((await of(leo))[0]).toEqual([
      "lagon-ticket",
      80,
      expect.stringMatching(/^Tarif enfant, moins de 12 ans : 0,80.€ au lieu de 1,70.€\.$/),
    ]);
    expect(problem(await hugo.get(`/api/fares/${group}?cardnumber=${leo}`))).toEqual([
      404,
      "not_found",
    ]);
    expect(problem(await camille.get(`/api/fares/999999?cardnumber=${own}`))).toEqual([
      404,
      "not_found",
    ]);
  });

  test("a file of fares that is not valid changes nothing; what a file leaves out is sold no more", async () => {
    const folder = await scratchFolder("fares");
    await writeFile(`${folder}/bad.json`, JSON.stringify([{ slug: "Bad Slug", products: [] }]));
    expect((await run("passes fares", `${folder}/bad.json`))?.ok).toBe(false);
    expect((await run("passes fares", `${folder}/none.json`))?.ok).toBe(false);
    const before = (await camille.get(`/api/fares/${group}?cardnumber=${own}`)).body.items.length;
    const { path, order } = await drafted("lagon-jour");
    const [lagon, ...others] = demoFares;
    const fewer = [{ ...lagon!, products: lagon!.products.slice(0, 1) }, ...others];
    await writeFile(`${folder}/good.json`, JSON.stringify(fewer));
    expect(await run("passes fares", `${folder}/good.json`)).toMatchObject({
      ok: true,
      lines: ["2 groupes de lignes, 2 titres en vente."],
    });
    const after = (await camille.get(`/api/fares/${group}?cardnumber=${own}`)).body.items;
    expect([before, after.length]).toEqual([4, 1]);
    expect(problem(await camille.post(`${path}/pay`, payment(order)))).toEqual([
      409,
      "pass_off_sale",
    ]);
    const start = { product: "lagon-mois", cardnumber: own };
    expect(problem(await camille.post("/api/passes/orders", start))).toEqual([
      409,
      "pass_off_sale",
    ]);
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  });
});

describe("buying", () => {
  // proves: passes
  test("from the wallet: the money leaves, the pass rides, the family is told, paid once", async () => {
    const before = await balance();
    const { path, order } = await drafted("lagon-mois", leo);
    expect(order).toMatchObject({ holder: "Léo Moreau", price: { totalCents: 2650 } });
    const [paid, again] = await Promise.all([
      camille.post(`${path}/pay`, payment(order)),
      camille.post(`${path}/pay`, payment(order)),
    ]);
    expect([paid.status, again.status]).toEqual([200, 200]);
    expect(paid.body.order).toMatchObject({ state: "paid", pass: again.body.order.pass });
    expect(await balance()).toBe(before - 2650);
    const [pass, ...others] = await passesOf(leo);
    expect(others).toEqual([]);
    expect(pass).toMatchObject({ state: "active", name: "Mensuel", holder: "Léo Moreau" });
    expect(pass?.["lastDay"].slice(0, 7)).toBe(today().slice(0, 7));
    const { rows } = await server.deps.pool.query(
      "select p.name from notification n join person p on p.id = n.person_id where n.kind = 'pass' order by 1",
    );
    expect(rows.map(({ name }) => name)).toEqual(["Camille Moreau", "Léo Moreau", "Thomas Moreau"]);
    const { items } = (await camille.get("/api/passes/orders")).body;
    expect(items).toEqual([]);
  });

  test("the same product again is the same purchase; another card makes it that card's", async () => {
    const first = await camille.post("/api/passes/orders", {
      product: "lagon-mois",
      cardnumber: own,
    });
    const again = await camille.post("/api/passes/orders", {
      product: "lagon-mois",
      cardnumber: own,
    });
    expect(again.body).toEqual(first.body);
    const forLeo = await camille.post("/api/passes/orders", {
      product: "lagon-mois",
      cardnumber: leo,
    });
    expect(forLeo.body).toMatchObject({ id: first.body.id, cardnumber: leo, revision: 2 });
    const { items } = (await camille.get("/api/passes/orders")).body;
    expect(items).toHaveLength(1);
    const stranger = `/api/passes/orders/${first.body.id}`;
    for (const answer of [
      await hugo.get(stranger),
      await hugo.post(stranger, { startOn: null }),
      await hugo.post(`${stranger}/cancel`),
      await hugo.post(
        `${stranger}/pay`,
        payment(first.body, { objectID: await walletOf(hugo, cast.stranger.cardnumber) }),
      ),
    ]) {
      expect(problem(answer)).toEqual([404, "not_found"]);
    }
    expect(
      problem(
        await camille.post("/api/passes/orders", {
          product: "lagon-mois",
          cardnumber: cast.stranger.cardnumber,
        }),
      ),
    ).toEqual([404, "not_found"]);
  });

  test("somebody else's purchase that is busy is not found at once", async () => {
    const { order, path } = await drafted("lagon-mois");
    const { answer, waited } = await whileHeld(
      server,
      (client) => client.query("select from pass_order where id = $1 for update", [order.id]),
      () => hugo.post(`${path}/cancel`),
    );
    expect([answer.status, waited]).toEqual([404, false]);
  });

  test("a former guardian's purchase for the child is theirs no more; the next one begins anew", async () => {
    const thomas = await server.as("coGuardian");
    const input = { product: "lagon-mois", cardnumber: leo };
    const { body } = await thomas.post("/api/passes/orders", input);
    const path = `/api/passes/orders/${body.id}`;
    expect((await thomas.get(path)).body).toMatchObject({ cardnumber: leo });
    expect((await thomas.post(`/api/family/members/${leo}/leave`)).status).toBe(200);
    expect((await thomas.get("/api/passes/orders")).body.items).toEqual([]);
    for (const answer of [
      await thomas.get(path),
      await thomas.post(path, { startOn: null }),
      await thomas.post(`${path}/cancel`),
      await thomas.post(`${path}/pay`, payment(body, { objectID: wallet })),
    ]) {
      expect(problem(answer)).toEqual([404, "not_found"]);
    }
    const again = await thomas.post("/api/passes/orders", {
      product: "lagon-mois",
      cardnumber: cast.coGuardian.cardnumber,
    });
    expect(again.body).toMatchObject({ cardnumber: cast.coGuardian.cardnumber, startOn: null });
    await tieAgain(server.owner.pool, "coGuardian", "child");
  });

  // proves: pass-price
  test("a price that changed since it was shown is refused and told; nothing is paid", async () => {
    const { path, order } = await drafted("lagon-mois", leo);
    const before = await balance();
    await server.deps.pool.query(
      "update fare_reduction set price_cents = 2700 where product_id = 'lagon-mois' and price_cents = 2650",
    );
    const refused = await camille.post(`${path}/pay`, payment(order));
    expect(problem(refused)).toEqual([409, "price_changed"]);
    expect(refused.body.details).toMatchObject({ totalCents: 2700 });
    expect(await balance()).toBe(before);
    expect((await camille.get(path)).body).toMatchObject({
      state: "draft",
      price: { totalCents: 2700 },
    });
    const repricedOrder = { ...order, price: { totalCents: 2700 } };
    const changed = await camille.post(path, { startOn: order.startOn });
    expect(problem(await camille.post(`${path}/pay`, payment(repricedOrder)))).toEqual([
      409,
      "order_changed",
    ]);
    const paid = await approveIfRequired(server, camille, `${path}/pay`, payment(changed.body));
    expect(paid.status, paid.text).toBe(200);
    expect(await balance()).toBe(before - 2700);
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  });

  test("one pass of a kind at a time: the refusal says until when and from when", async () => {
    const first = await bought("lagon-mois", leo);
    const { body } = await camille.post("/api/passes/orders", {
      product: "lagon-mois",
      cardnumber: leo,
    });
    const path = `/api/passes/orders/${body.id}`;
    // The form knows it before: this month is covered for Léo, not the next, and not for Camille.
    const covered = ({ start }: any) => start.choices.map((one: any) => one.covered);
    expect(covered(body).slice(0, 2)).toEqual([true, false]);
    const left = body.start.choices.map((one: any) => one.leftDays);
    expect(left.slice(0, 2)).toEqual([1 + daysBetween(today(), first["lastDay"]), null]);
    const hers = await camille.post(path, { cardnumber: own });
    expect(covered(hers.body).slice(0, 2)).toEqual([false, false]);
    await camille.post(path, { cardnumber: leo });
    const refused = await camille.post(path, { startOn: today() });
    expect(problem(refused)).toEqual([409, "pass_overlap"]);
    const next = body.start.choices[1].on;
    expect(refused.body.details.nextOn).toBe(next);
    expect(refused.body.details.until).toBe(first["lastDay"].split("-").toReversed().join("/"));
    expect((await camille.get(path)).body.startOn).toBeNull();
    expect((await camille.post(path, { startOn: next })).status).toBe(200);
    // Single tickets do not exclude each other, nor do those of another card.
    expect((await bought("lagon-ticket"))["state"]).toBe("active");
    expect((await bought("lagon-ticket"))["state"]).toBe("active");
  });

  test("who may not have a product is told before it is chosen, and is refused", async () => {
    const product = "lagon-an";
    const jade = cast.secondChild.cardnumber;
    const { lastDay } = await bought(product);
    const { path, order } = await drafted(product, leo);
    const covered = `Déjà couvert par ce titre jusqu’au ${formatDate(String(lastDay))}.`;
    expect(order["riders"]).toHaveLength(3);
    expect(order["riders"]).toEqual(
      expect.arrayContaining([
        { cardnumber: own, reason: covered },
        { cardnumber: leo, reason: null },
        { cardnumber: jade, reason: null },
      ]),
    );
    const { to: startOn } = order["start"] as { to: string };
    const mine = { cardnumber: own, startOn };
    expect(problem(await camille.post(path, mine))).toEqual([409, "pass_overlap"]);
    const offer = async (cardnumber: number) =>
      (await camille.get(`/api/fares/${group}?cardnumber=${cardnumber}`)).body.items.find(
        ({ id }: { id: string }) => id === product,
      );
    expect(await offer(own)).toMatchObject({ covered, ineligibility: null });
    expect(await offer(leo)).toMatchObject({ covered: null });

    const school = await drafted("scolaire-an", leo);
    expect(school.order["riders"]).toContainEqual({
      cardnumber: own,
      reason: "Ce titre est réservé aux personnes de 3 à 20 ans.",
    });
    const hers = await camille.post(school.path, { cardnumber: own });
    expect(problem(hers)).toEqual([409, "pass_not_entitled"]);
  });

  test("printed for who has no phone: the code on paper; not while the card rests, nor by a stranger", async () => {
    const { id } = await bought("lagon-mois", leo);
    const path = `/api/passes/${String(id)}/pass.pdf`;
    const printed = await camille.get(path);
    expect(printed).toMatchObject({ status: 200, headers: { "content-type": "application/pdf" } });
    expect(printed.text.slice(0, 5)).toBe("%PDF-");
    expect(printed.text).toContain("/MarkInfo");
    expect((await hugo.get(path)).status).toBe(404);
    const suspended = "update card set state = $2 where number = $1";
    await server.deps.pool.query(suspended, [leo, "suspended"]);
    expect(problem(await camille.get(path))).toEqual([409, "pass_card_suspended"]);
    await server.deps.pool.query(suspended, [leo, "active"]);
  });

  test("the family's passes on one file, a page a person; cards out of use are left out, nobody else's are in", async () => {
    const sheetOf = async ({ token }: Client) =>
      wordsOf(
        (
          await server.app.inject({
            url: "/api/passes.pdf",
            headers: { authorization: `Bearer ${token}` },
          })
        ).rawPayload,
      );
    await bought("lagon-mois");
    await bought("lagon-mois", leo);
    const sheet = await sheetOf(camille);
    expect(sheet).toContain("Titres de Camille");
    expect(sheet).toContain("Titres de Léo");
    expect(sheet.indexOf("Camille")).toBeLessThan(sheet.indexOf("Léo"));
    const suspended = "update card set state = $2 where number = $1";
    await server.deps.pool.query(suspended, [leo, "suspended"]);
    expect(await sheetOf(camille)).not.toContain("Titres de Léo");
    await server.deps.pool.query(suspended, [leo, "active"]);
    expect(problem(await hugo.get("/api/passes.pdf"))).toEqual([409, "passes_none"]);
  });

  // proves: passes
  test("two guardians who buy the same for one child at once: one pass, one payment", async () => {
    const thomas = await server.as("coGuardian");
    const his = await walletOf(thomas, cast.coGuardian.cardnumber);
    const [a, b] = await Promise.all([
      drafted("lagon-mois", leo),
      drafted("lagon-mois", leo, thomas),
    ]);
    const answers = await Promise.all([
      approveIfRequired(server, camille, `${a.path}/pay`, payment(a.order)),
      thomas.post(`${b.path}/pay`, payment(b.order, { objectID: his })),
    ]);
    expect(answers.map(problem).toSorted(byStatus)).toEqual([
      [200, undefined],
      [409, "pass_overlap"],
    ]);
    expect(await passesOf(leo)).toHaveLength(1);
  });

  test("not enough money: refused before any code, and the draft waits", async () => {
    const number = cast.stranger.cardnumber;
    const { path, order } = await drafted("lagon-an", number, hugo);
    const poor = payment(order, { objectID: await walletOf(hugo, number) });
    const refused = await hugo.post(`${path}/pay`, poor);
    expect(problem(refused)).toEqual([409, "insufficient_funds"]);
    expect(server.outbox).toEqual([]);
    expect((await hugo.get(path)).body).toMatchObject({ state: "draft" });
    expect((await hugo.get(`/api/passes?cardnumber=${number}`)).body.items).toEqual([]);
  });

  test("what is wrong is refused before any money: dates, ages, stops, wallets, states", async () => {
    const { path, order } = await drafted("lagon-jour");
    const yesterday = addDays(parisDay(server.clock.now()), -1);
    expect(problem(await camille.post(path, { startOn: yesterday }))).toEqual([422, "pass_start"]);
    expect(problem(await camille.post(path, { stop: 123_456 }))).toEqual([422, "pass_stop"]);
    const begun = await camille.post("/api/passes/orders", {
      product: "scolaire-an",
      cardnumber: own,
    });
    const school = `/api/passes/orders/${begun.body.id}`;
    expect(begun.body.ineligibility).toMatch(/de 3 à 20 ans/);
    const ineligibility = await camille.post(school, { startOn: begun.body.start.from });
    expect(problem(ineligibility)).toEqual([409, "pass_not_entitled"]);
    expect(ineligibility.body.message).toMatch(/de 3 à 20 ans.*Choisissez-en un autre/);
    await server.deps.pool.query(
      `insert into acceptance_group (id, name, slug, rule) values (77, 'Cinéma', 'cine', '') on conflict do nothing`,
    );
    const { rows } = await server.deps.pool.query<{ id: number }>(
      "select person_id as id from card where number = $1",
      [own],
    );
    const { objectID } = await inTx(server.deps.db, (tx) =>
      openWallet(tx, { personId: rows[0]!.id, groupId: 77 }),
    );
    const elsewhere = payment(order, { objectID });
    expect(problem(await camille.post(`${path}/pay`, elsewhere))).toEqual([
      422,
      "wallet_not_accepted",
    ]);
    const theirs = payment(order, { objectID: await walletOf(hugo, cast.stranger.cardnumber) });
    expect(problem(await camille.post(`${path}/pay`, theirs))).toEqual([404, "not_found"]);
    const unset = await camille.post(path, { startOn: null });
    expect(problem(await camille.post(`${path}/pay`, payment(unset.body)))).toEqual([
      422,
      "pass_start",
    ]);
    expect((await camille.post(`${path}/cancel`)).status).toBe(200);
    expect((await camille.post(`${path}/cancel`)).status).toBe(200);
    for (const [act, body] of [
      ["", { startOn: today() }],
      ["/pay", payment(unset.body)],
      ["/exemption", { reason: "Nous venons de déménager." }],
    ] as const) {
      expect(problem(await camille.post(path + act, body)), act).toEqual([409, "pass_order_state"]);
    }
  });

  test("where the network has stops, a school pass is from one of its group's, and keeps its name", async () => {
    const { pool } = server.deps;
    await pool.query("update fare_product set late_after = null where id = 'scolaire-an'");
    const { rows } = await pool.query(
      `with g as (select group_id from fare_product where id = 'scolaire-an'),
         f as (insert into transit_feed (file, first_on, last_on, longest, counts, at)
           values ('t', '2020-01-01', '2040-01-01', 1, '{}', now()) returning id),
         l as (insert into transit_line (gtfs_id, feed_id, group_id, place, number, name, mode, color,
             text_color) select 'L', f.id, g.group_id, 1, '12', 'Ligne', 'bus', '000000', 'ffffff'
             from f, g returning id),
         s as (insert into transit_stop (gtfs_id, feed_id, name, letters)
           select n, f.id, n, n from f, unnest(array['Port', 'Ailleurs']) n returning id, name),
         w as (insert into transit_direction (feed_id, line_id, direction, head, trips)
           select f.id, l.id, 0, 'Port', 1 from f, l returning line_id),
         p as (insert into transit_direction_stop (feed_id, line_id, direction, place, stop_id, share)
           select f.id, l.id, 0, 1, s.id, 100 from f, l, s where s.name = 'Port')
       select id from s order by name = 'Port' desc`,
    );
    const [port, elsewhere] = rows.map(({ id }) => id as number);
    const { path, order } = await drafted("scolaire-an", leo);
    expect(order.product.needsStop).toBe(true);
    expect(problem(await camille.post(`${path}/pay`, payment(order)))).toEqual([422, "pass_stop"]);
    expect(problem(await camille.post(path, { stop: elsewhere }))).toEqual([422, "pass_stop"]);
    const chosen = await camille.post(path, { stop: port });
    expect(chosen.body.stop).toEqual({ id: port, name: "Port" });
    expect((await approve(server, camille, `${path}/pay`, payment(chosen.body))).status).toBe(200);
    expect((await passesOf(leo))[0]).toMatchObject({ stop: "Port" });
    await pool.query(
      "update transit_line set feed_id = null; update transit_feed set current = false",
    );
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  });

  test("a pass that asks for a photo is not paid without; the photo is its buyer's alone", async () => {
    await server.deps.pool.query(
      "update fare_product set needs_photo = true where id = 'lagon-jour'",
    );
    const { path, order } = await drafted("lagon-jour");
    expect(problem(await camille.post(`${path}/pay`, payment(order)))).toEqual([422, "pass_photo"]);
    const theirs = await paper(hugo);
    expect(problem(await camille.post(path, { photo: theirs }))).toEqual([404, "not_found"]);
    const photo = await paper(camille);
    const response = await camille.post(path, { photo });
    expect(response.body).toMatchObject({ photo: { id: photo, kind: "image" } });
    expect((await camille.get(`/api/documents/${photo}`)).status).toBe(200);
    expect(problem(await hugo.get(`/api/documents/${photo}`))).toEqual([404, "not_found"]);
    const { path: other } = await drafted("lagon-ticket");
    expect(problem(await camille.post(other, { photo }))).toEqual([409, "document_attached"]);
    expect((await camille.post(path, { photo: null })).body.photo).toBeNull();
    expect(problem(await camille.get(`/api/documents/${photo}`))).toEqual([404, "not_found"]);
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  });

  test("a quotient of nought may make it free: no money moves, the pass is there", async () => {
    await server.deps.pool.query(
      "update fare_reduction set price_cents = 0 where label like 'Tarif jeune%'",
    );
    const before = await balance();
    expect((await bought("lagon-mois", leo))["state"]).toBe("active");
    expect(await balance()).toBe(before);
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  });
});

describe("the pass", () => {
  test("bought for later it waits, begins and ends by the day in Paris, with a word before", async () => {
    const { path, order } = await drafted("lagon-mois", leo);
    const later = await camille.post(path, { startOn: order.start.choices[1].on });
    const paid = await approveIfRequired(server, camille, `${path}/pay`, payment(later.body));
    expect(paid.status, paid.text).toBe(200);
    const [pass] = await passesOf(leo);
    expect(pass).toMatchObject({ state: "pending", validFrom: expect.any(String) });
    const token = await tokenOf(pass?.["id"]);
    expect(await good(token)).toBe(false);
    const now = server.clock.now().getTime();
    const until = (instant: string) =>
      server.clock.advance(Date.parse(instant) - server.clock.now().getTime());
    until(pass?.["validFrom"]);
    camille = await server.as("guardian");
    expect((await passesOf(leo))[0]).toMatchObject({ state: "active" });
    expect(await good(token)).toBe(true);
    await move();
    until(pass?.["validUntil"]);
    server.clock.advance(-3 * dayMs);
    server.outbox.length = 0;
    const phone = "+33612345677";
    await server.deps.db
      .updateTable("person")
      .set({ email: null, phonenumber: phone })
      .where("id", "=", (eb) => eb.selectFrom("card").select("personId").where("number", "=", leo))
      .execute();
    await move();
    await move();
    expect(server.outbox.map(({ address }) => address).toSorted()).toEqual(
      [cast.guardian.email, cast.coGuardian.email, phone].toSorted(),
    );
    expect(server.outbox.find(({ channel }) => channel === "sms")?.body).toMatch(
      /^Ma carte\. Votre titre .* se termine le/,
    );
    expect(server.outbox[0]?.body).toContain("se termine le");
    until(pass?.["validUntil"]);
    camille = await server.as("guardian");
    expect(await good(token)).toBe(false);
    expect((await passesOf(leo))[0]).toMatchObject({ state: "expired" });
    await move();
    const { rows } = await server.deps.pool.query("select state from pass");
    expect(rows).toEqual([{ state: "expired" }]);
    server.clock.advance(now - server.clock.now().getTime());
  });

  // proves: guardian-decisions
  test("a child does not resume what a guardian suspended", async () => {
    await give("guardian", 50_000);
    const pass = await bought("lagon-an", leo);
    const path = `/api/passes/${pass["id"]}`;
    expect((await camille.post(`${path}/suspend`)).status).toBe(200);
    const child = await server.as("child");
    expect(problem(await child.post(`${path}/resume`))).toEqual([409, "family_minor"]);
    expect((await child.get(path)).body.state).toBe("suspended");
    expect((await camille.post(`${path}/resume`)).status).toBe(200);
  });

  test("suspended it rides no more, resumed it lasts longer by the days that it slept", async () => {
    await give("guardian", 50_000);
    const pass = await bought("lagon-an");
    const path = `/api/passes/${pass["id"]}`;
    const token = await tokenOf(pass["id"]);
    expect(await good(token)).toBe(true);
    const [asleep, twice] = await Promise.all([
      camille.post(`${path}/suspend`),
      camille.post(`${path}/suspend`),
    ]);
    expect([asleep, twice].map(problem).toSorted(byStatus)).toEqual([
      [200, undefined],
      [409, "pass_state"],
    ]);
    expect(await good(token)).toBe(false);
    expect(problem(await camille.get(`${path}/qr`))).toEqual([409, "pass_state"]);
    server.clock.advance(10 * dayMs);
    camille = await server.as("guardian");
    const awake = await camille.post(`${path}/resume`);
    expect(awake.body).toMatchObject({
      state: "active",
      suspension: { leftDays: 50, since: null },
    });
    const days = Math.round((Date.parse(awake.body.lastDay) - Date.parse(pass["lastDay"])) / dayMs);
    expect(days).toBe(10);
    expect(problem(await camille.post(`${path}/resume`))).toEqual([409, "pass_state"]);
    // The QR from before the suspension stays refused.
    expect(await good(token)).toBe(false);
    expect(await good(await tokenOf(pass["id"]))).toBe(true);
    // A suspension that nobody ends is ended by the job when its days are used up.
    await camille.post(`${path}/suspend`);
    server.clock.advance(60 * dayMs);
    await move();
    camille = await server.as("guardian");
    const woken = await camille.get(path);
    expect(woken.body).toMatchObject({ state: "active", suspension: { leftDays: 0 } });
    expect(problem(await camille.post(`${path}/suspend`))).toEqual([409, "pass_suspension_spent"]);
    server.clock.advance(-70 * dayMs);
    camille = await server.as("guardian");
    const monthly = await bought("lagon-mois");
    expect(problem(await camille.post(`/api/passes/${monthly["id"]}/suspend`))).toEqual([
      409,
      "pass_no_suspension",
    ]);
    expect(problem(await hugo.post(`/api/passes/${monthly["id"]}/suspend`))).toEqual([
      404,
      "not_found",
    ]);
  });

  // proves: passes
  test("lost, it is made again: the old QR is refused, the first time is free, the next is paid once", async () => {
    await give("guardian", 50_000);
    const pass = await bought("lagon-an");
    const old = await tokenOf(pass["id"]);
    const path = `/api/passes/${pass["id"]}/duplicate`;
    const before = await balance();
    const key = { "idempotency-key": "lost-1" };
    const [first, again] = await Promise.all([
      camille.post(path, { feeCents: 0 }, key),
      camille.post(path, { feeCents: 0 }, key),
    ]);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.id).toBe(first.body.id);
    expect(problem(await camille.post(path, { feeCents: 0 }))).toEqual([409, "pass_state"]);
    expect(await balance()).toBe(before);
    expect(await good(old)).toBe(false);
    expect(await good(await tokenOf(first.body.id))).toBe(true);
    expect(await passesOf()).toMatchObject([
      { id: first.body.id, lastDay: pass["lastDay"], duplicateCents: 800 },
    ]);
    const second = `/api/passes/${first.body.id}/duplicate`;
    expect(problem(await camille.post(second, { feeCents: 0 }))).toEqual([409, "price_changed"]);
    expect(problem(await camille.post(second, { feeCents: 800 }))).toEqual([
      422,
      "wallet_not_accepted",
    ]);
    const theirs = await walletOf(camille, leo);
    const unpaid = () => camille.post(second, { feeCents: 800, wallet: theirs });
    const refused = await refusedAsTieEnds(server, "guardian", "child", unpaid);
    expect(refused).toEqual([404, "not_found"]);
    const replaced = await approveIfRequired(server, camille, second, { feeCents: 800, wallet });
    expect(replaced.status, replaced.text).toBe(201);
    expect(await balance()).toBe(before - 800);
  });

  // proves: pass-qr
  test("at an opposition its QR is refused at once; with the next card it shows again", async () => {
    const pass = await bought("lagon-mois", leo);
    const token = await tokenOf(pass["id"]);
    const opposed = await camille.post(`/api/cards/${leo}/oppose`, { reason: "lost" });
    expect(opposed.status, opposed.text).toBe(200);
    expect(onOpposed.map(({ name }) => name)).toContain("revokePassQrs");
    expect(await good(token)).toBe(false);
    expect(problem(await camille.get(`/api/passes/${pass["id"]}/qr`))).toEqual([
      409,
      "pass_card_opposed",
    ]);
    expect((await camille.get(`/api/passes/${pass["id"]}`)).body).toMatchObject({
      state: "active",
      cardState: "opposed",
    });
    await server.deps.pool.query("delete from card where replaces = $1", [leo]);
    await server.deps.pool.query("update card set state = 'suspended' where number = $1", [leo]);
    expect(problem(await camille.get(`/api/passes/${pass["id"]}/qr`))).toEqual([
      409,
      "pass_card_suspended",
    ]);
    await server.deps.pool.query("update card set state = 'active' where number = $1", [leo]);
    expect(await good(token)).toBe(false);
    expect(await good(await tokenOf(pass["id"]))).toBe(true);
  });

  // proves: pass-qr
  test("no altered token is taken: every single bit flipped, every character changed, cut or added", async () => {
    const pass = await bought("lagon-jour");
    const token = await tokenOf(pass["id"]);
    expect(await good(token)).toBe(true);
    const bytes = Buffer.from(token.slice(4), "base64url");
    const forged = [];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const other = Buffer.from(bytes);
      other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      forged.push(`MP1.${other.toString("base64url")}`);
    }
    for (let at = 0; at < token.length; at++) {
      forged.push(token.slice(0, at) + token.slice(at + 1));
      forged.push(`${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`);
    }
    forged.push("", "MP1.", `${token}A`, `${token}=`, token.replace("MP1", "MC1"));
    const card = (await camille.get(`/api/cards/${own}/qr`)).body.token as string;
    forged.push(card, card.replace("MC1", "MP1"));
    const taken = [];
    for (const one of forged) if ((await check(one)) !== null) taken.push(one);
    expect(taken).toEqual([]);
    expect(forged.length).toBeGreaterThan(900);
  });
});

describe("the late fee", () => {
  const letter = { reason: "Nous avons emménagé en octobre." };
  const late = async () => {
    // Whatever the day: the deadline of the year under way is past from September to June.
    await server.deps.pool.query(
      "update fare_product set late_after = '01-01' where id = 'scolaire-an'",
    );
    const begun = await camille.post("/api/passes/orders", {
      product: "scolaire-an",
      cardnumber: leo,
    });
    const path = `/api/passes/orders/${begun.body.id}`;
    const changed = await camille.post(path, { startOn: begun.body.start.from });
    expect(changed.body.price).toMatchObject({
      cents: 9000,
      lateFeeCents: 1500,
      totalCents: 10_500,
    });
    return { path, order: changed.body };
  };
  const numberOf = async (words: string) =>
    (await run("passes exemptions"))?.lines.find((line) => line.includes(words))?.split(" ")[0] ??
    "";

  // proves: passes
  test("accepted after the payment: the fee comes back, once; the pass rides on", async () => {
    const { path, order } = await late();
    expect((await approve(server, camille, `${path}/pay`, payment(order))).status).toBe(200);
    const paid = await balance();
    const lease = await paper(camille);
    const response = await camille.post(`${path}/exemption`, { ...letter, documents: [lease] });
    expect(response.body.exemption.state).toBe("requested");
    expect((await run("passes exemptions"))?.lines).toContain(`   document ${lease}`);
    expect(problem(await camille.post(`${path}/exemption`, letter))).toEqual([
      409,
      "exemption_requested",
    ]);
    const number = await numberOf("emménagé");
    expect(await run("passes exempt", number)).toMatchObject({ ok: true });
    expect((await run("passes exempt", number))?.ok).toBe(false);
    expect((await run("passes refuse", number, "trop tard"))?.ok).toBe(false);
    expect(await balance()).toBe(paid + 1500);
    expect((await passesOf(leo))[0]).toMatchObject({
      state: "active",
      late: { exemption: "accepted" },
    });
    expect(server.outbox.some(({ body }) => body.includes("15,00"))).toBe(true);
    expect((await verify(server.deps.db)).ok).toBe(true);
  });

  test("accepted before: it is no longer asked, and what was shown before is shown again", async () => {
    const { path, order } = await late();
    await camille.post(`${path}/exemption`, letter);
    await run("passes exempt", await numberOf("emménagé"));
    expect(problem(await camille.post(`${path}/pay`, payment(order)))).toEqual([
      409,
      "price_changed",
    ]);
    const { body } = await camille.get(path);
    expect(body.price).toMatchObject({ lateFeeCents: 0, totalCents: 9000 });
    const before = await balance();
    expect((await approve(server, camille, `${path}/pay`, payment(body))).status).toBe(200);
    expect(await balance()).toBe(before - 9000);
  });

  test("refused: the buyer reads why, and pays it", async () => {
    const { path } = await late();
    await camille.post(`${path}/exemption`, letter);
    expect((await run("passes refuse", await numberOf("emménagé"), "il manque le bail"))?.ok).toBe(
      true,
    );
    expect((await camille.get(path)).body).toMatchObject({
      exemption: { state: "refused", answer: "il manque le bail" },
      price: { lateFeeCents: 1500 },
    });
    const [notice] = (await camille.get("/api/notifications")).body.items;
    expect(notice.body).toMatch(/garde ses frais de retard : il manque le bail\.$/);
    const { path: other } = await drafted("lagon-jour");
    expect(problem(await camille.post(`${other}/exemption`, letter))).toEqual([
      409,
      "exemption_none",
    ]);
    expect((await run("passes list", String(leo)))?.lines).toEqual(["Aucun titre."]);
    expect((await run("passes list", "12"))?.ok).toBe(false);
  });
});
