// The order of pro cards: the card data that opens it, the draft step by step, the file of persons, the
// payment, the way from the printer to the first sign-in, and every refusal with the state after it.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatMoney } from "#contract/french.ts";
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import { companyCards } from "#contract/companies/limits.ts";
import { batchCommands } from "#server/cards/card-batches-operator.ts";
import { invoiceCommands } from "#server/invoices/operator.ts";
import { verify } from "#server/ledger/ledger.ts";
import { approve } from "#tests/approve.ts";
import { cast } from "#tests/cast.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";
import { deleteStaleDrafts } from "./draft.ts";
import { cardOrderCommands } from "./operator.ts";
import { runByTwo } from "#tests/two-operators.ts";

let server: TestServer;
let owner: Client;
let folder: string;
const number: number = cast.employer.cardnumber;

beforeAll(async () => {
  [server, folder] = await Promise.all([openTestServer(), scratchFolder("card-orders")]);
});
beforeEach(async () => {
  // Past the minute of the rate.
  server.clock.advance(61_000);
  server.deps.config.codeFromCents = 1_000_000;
  owner = await server.as("employer");
  await query("delete from card_order where state = 'draft'");
  // Past the day of the orders of other tests.
  await query("delete from limiter");
  await query("update card_order set ordered_at = ordered_at - interval '25 hours'");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
  await removeData(folder);
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const awa = { firstName: "Awa", lastName: "Diallo", email: null, phonenumber: null };
const yann = {
  firstName: "Yann",
  lastName: "Le Goff",
  email: "yann@corail.test",
  phonenumber: null,
};
const draft = "/api/card-orders/draft";
const persons = (more: Record<string, unknown> = {}, client = owner) =>
  client.post(`${draft}/persons`, { revision: 0, persons: [awa, yann], blank: 1, ...more });
const design = { label: "Ateliers Corail", ink: "reef", printsNames: true };
const elsewhere = {
  to: "other",
  recipient: "Accueil",
  street: "3 quai du Port",
  postcode: "29982",
  town: "Pointe-Corail",
};

/** A draft that only the payment misses. */
async function ready(more: Record<string, unknown> = {}) {
  await persons(more);
  await owner.post(`${draft}/design`, { revision: 1, ...design });
  const { body } = await owner.post(`${draft}/delivery`, { revision: 2, ...elsewhere });
  expect(body.draft).toMatchObject({ revision: 3, step: "price" });
  return body.draft as { id: string; revision: number; price: { totalCents: number } };
}
const walletOf = async (): Promise<{ objectID: string; projectedCents: number }> =>
  (await owner.get(`/api/wallets?cardnumber=${number}`)).body.items[0];
const paying = async (one: Awaited<ReturnType<typeof ready>>) => {
  const { objectID } = await walletOf();
  const { revision, price } = one;
  return { revision, totalCents: price.totalCents, method: "wallet", objectID };
};

/** A paid order; answers its id. */
async function ordered(more: Record<string, unknown> = {}): Promise<string> {
  const one = await ready(more);
  const body = await paying(one);
  await leaveToSpend(server, body.objectID, one.price.totalCents);
  const paid = await owner.post(`/api/card-orders/${one.id}/pay`, body);
  expect(paid.status, paid.text).toBe(200);
  return one.id;
}
const dispatch = async (id: string, client = owner) =>
  (await client.get(`/api/order/dispatch/${id}`)).body.data;
const run = async (name: string, ...args: string[]) => {
  const command = [...cardOrderCommands, ...batchCommands].find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return await command.run(server.deps, args, "alice");
};
/** A colleague of the owner with a role. */
async function colleague(role: "accountant" | "cashier"): Promise<Client> {
  const [{ company_id: company }] = await query(
    `select company_id from company_member m join card c on c.person_id = m.person_id
     where c.number = $1`,
    number,
  );
  await query(
    `update company_member set company_id = $1, roles = array[$2] where person_id =
     (select person_id from card where number = $3)`,
    company,
    role,
    cast.partnerShop.cardnumber,
  );
  return await server.as("partnerShop");
}

describe("POST /api/order/getInformation", () => {
  const path = "/api/order/getInformation";

  test("says what the screen needs of one's own card", async () => {
    const { status, body } = await owner.post(path, { cardnumber: number });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        cardnumber: number,
        type: 2,
        name: cast.employer.name,
        company: cast.employer.name,
        roles: ["owner"],
        canOrder: true,
      },
      message: "Vous pouvez commander des cartes pro.",
    });
  });

  test("answers 200 without success where there is nothing to show", async () => {
    const holder = await server.as("guardian");
    for (const cardnumber of [cast.guardian.cardnumber, cast.child.cardnumber]) {
      const { status, body } = await holder.post(path, { cardnumber });
      expect([status, body.success, body.data]).toEqual([200, false, null]);
      expect(body.message).toMatch(/numéro professionnel/);
    }
  });

  test("knows no card of anybody else", async () => {
    const holder = await server.as("guardian");
    expect((await holder.post(path, { cardnumber: number })).status).toBe(404);
    expect((await owner.post(path, { cardnumber: cast.partnerShop.cardnumber })).status).toBe(404);
  });
});

describe("the draft", () => {
  test("is opened by its persons and resumed at the step that is missing", async () => {
    expect((await owner.get(draft)).body.draft).toBeNull();
    const { body } = await persons();
    expect(body.draft).toMatchObject({
      revision: 1,
      step: "design",
      persons: [awa, yann],
      blank: 1,
      price: { quantity: 3, unitCents: 490, netCents: 3 * 490 + 990, vatCents: 492 },
    });
    const named = await owner.post(`${draft}/design`, { revision: 1, ...design });
    expect(named.body.draft).toMatchObject({ step: "delivery", design });
    const seat = {
      revision: 2,
      to: "company",
      recipient: "RH",
      street: "",
      postcode: "",
      town: "",
    };
    const sent = await owner.post(`${draft}/delivery`, seat);
    const { company } = sent.body;
    expect(sent.body.draft.delivery).toEqual({
      to: "company",
      recipient: "RH",
      street: company.street,
      postcode: company.postcode,
      town: company.town,
    });
    expect((await owner.get(draft)).body.draft).toEqual(sent.body.draft);
  });

  test("costs less a card by the quantity, and its delivery is free from fifty on", async () => {
    const many = (await persons({ persons: [], blank: 50 })).body.draft.price;
    expect(many).toMatchObject({ unitCents: 290, deliveryCents: 0, netCents: 14_500 });
    expect(many.totalCents).toBe(17_400);
  });

  test("refuses a screen that has not read it, and changes nothing", async () => {
    await persons();
    for (const body of [{}, { revision: 7 }]) {
      expect((await persons({ persons: [], ...body })).body.code).toBe("card_order_changed");
    }
    const stale = await owner.post(`${draft}/design`, { revision: 9, ...design });
    expect(stale.body.code).toBe("card_order_changed");
    expect((await owner.get(draft)).body.draft).toMatchObject({
      revision: 1,
      persons: [awa, yann],
    });
  });

  test("refuses what is no name, phone, label or address, and too many cards", async () => {
    const wrong = (await persons({ persons: [awa, { ...awa, firstName: "1234" }] })).body;
    expect([wrong.code, wrong.message]).toEqual([
      "card_order_name",
      expect.stringContaining("personne 2"),
    ]);
    const letters = await persons({ persons: [{ ...awa, firstName: "小龙" }] });
    expect(letters.body.code).toBe("card_order_name");
    const phone = await persons({ persons: [{ ...awa, phonenumber: "12345" }] });
    expect(phone.body.code).toBe("phone_invalid");
    expect((await persons({ blank: 199 })).body.code).toBe("card_order_max");
    expect((await owner.get(draft)).body.draft).toBeNull();
    await persons();
    const label = await owner.post(`${draft}/design`, {
      ...design,
      revision: 1,
      label: " ",
    });
    expect(label.body.code).toBe("card_order_label");
    const nowhere = await owner.post(`${draft}/delivery`, { ...elsewhere, revision: 1, town: " " });
    expect(nowhere.body.code).toBe("card_order_incomplete");
    expect((await owner.get(draft)).body.draft).toMatchObject({ revision: 1, design: null });
  });

  test("refuses more cards than a company may have", async () => {
    const [{ company }] = await query(`select m.company_id as company from company_member m
      join card c on c.person_id = m.person_id where c.number = ${number}`);
    const spare = companyCards.max;
    await query(
      `with made as (insert into person (type, name, password_hash, must_reset, created_at)
         select 2, 'X', 'x', true, now() from generate_series(1, ${spare - 1}) returning id)
       insert into pro_card (person_id, company_id, issued_at) select id, $1, now() from made`,
      company,
    );
    expect((await persons()).body.code).toBe("pro_card_full");
    await query("delete from pro_card where company_id = $1 and assigned_at is null", company);
    expect((await persons()).status).toBe(200);
  });

  test("is erased on request, and after sixty days without a touch", async () => {
    await persons();
    expect((await owner.post(`${draft}/discard`, { revision: 1 })).body.draft).toBeNull();
    expect((await owner.post(`${draft}/discard`, { revision: 1 })).body.code).toBe(
      "card_order_closed",
    );
    await persons();
    await deleteStaleDrafts(server.deps);
    expect((await owner.get(draft)).body.draft).not.toBeNull();
    await query("update card_order set changed_at = changed_at - interval '61 days'");
    await deleteStaleDrafts(server.deps);
    expect((await owner.get(draft)).body.draft).toBeNull();
    expect(await query("select from card_order_person")).toEqual([]);
  });

  test("is kept while the bank examines its payment, and keeps no other draft from being erased", async () => {
    const one = await ready();
    await leaveToSpend(server, (await walletOf()).objectID, 0);
    const paid = await owner.post(`/api/card-orders/${one.id}/pay`, {
      ...(await paying(one)),
      method: "provider",
    });
    const { topUp } = paid.body.payment;
    await query("update top_up set state = 'authorized' where id = $1", topUp);
    expect((await persons({ revision: 3 })).body.code).toBe("order_payment_pending");
    await query("update card_order set changed_at = changed_at - interval '61 days'");
    await deleteStaleDrafts(server.deps);
    expect((await owner.get(draft)).body.draft).toMatchObject({ revision: 3, topUp });
    await query("update top_up set state = 'declined' where id = $1", topUp);
    await deleteStaleDrafts(server.deps);
    expect((await owner.get(draft)).body.draft).toBeNull();
  });

  test("is the owner's alone; an accountant follows the orders, a cashier does not", async () => {
    const one = await ready();
    for (const role of ["accountant", "cashier"] as const) {
      const other = await colleague(role);
      expect((await other.get(draft)).body.code).toBe("company_role");
      expect((await persons({}, other)).body.code).toBe("company_role");
      const pay = await other.post(`/api/card-orders/${one.id}/pay`, await paying(one));
      expect(pay.body.code).toBe("company_role");
      const list = await other.get("/api/card-orders");
      expect(list.status).toBe(role === "accountant" ? 200 : 403);
    }
    expect((await owner.get(draft)).body.draft).toMatchObject({ revision: 3 });
  });
});

describe("POST /api/card-orders/file", () => {
  const binary = { "content-type": "application/octet-stream" };
  const send = (file: string | Buffer) => {
    const bytes = typeof file === "string" ? Buffer.from(file) : file;
    return owner.post("/api/card-orders/file", bytes, binary);
  };
  const titles = "Prénom;Nom;E-mail;Téléphone";
  const hers = { firstName: "Zoé", lastName: "Kermarrec", email: null, phonenumber: null };

  test("finds the encoding and the separator", async () => {
    const text = `${titles}\r\nZoé;Kermarrec;;\r\n`;
    const latin = Buffer.from(text, "latin1");
    for (const [file, encoding] of [
      [text, "utf-8"],
      [`\ufeff${text}`, "utf-8"],
      [latin, "windows-1252"],
      [text.replaceAll(";", ","), "utf-8"],
      [text.replaceAll(";", "\t"), "utf-8"],
      [Buffer.from(`\ufeff${text}`, "utf16le"), "utf-16"],
    ] as const) {
      const { status, body } = await send(file);
      expect([status, body]).toEqual([
        200,
        { encoding, persons: [hers], faults: [], stopped: false },
      ]);
    }
    const one = "nom,prenom\nKermarrec,Zoé";
    expect((await send(one)).body.persons).toEqual([hers]);
  });

  test("reads what spreadsheets and mail programs add", async () => {
    const lines = [
      `${titles};;`,
      "Ana\u2011Zoé;O\u00b4Neil;Ana O. <ana@x.fr>;06\u201112\u201134\u201156\u201178;;",
      "Bo;Y;bo @x.fr;;;",
    ];
    const { body } = await send(lines.join("\n"));
    expect(body).toMatchObject({ faults: [] });
    expect(body.persons).toEqual([
      { firstName: "Ana-Zoé", lastName: "O'Neil", email: "ana@x.fr", phonenumber: "+33612345678" },
      { firstName: "Bo", lastName: "Y", email: "bo@x.fr", phonenumber: null },
    ]);
    // What is in a column without a title is somebody's, and is not left out.
    const { body: more } = await send(`${titles};\nBo;Y;;;x\nBo;Z;bo y@x.fr;\n`);
    expect(more.faults).toEqual([
      { line: 2, what: "5 valeurs au lieu de 4" },
      { line: 3, what: "email : cette adresse n'est pas valable" },
    ]);
  });

  test("takes a single name, in either column", async () => {
    const { body } = await send(`${titles}\nSukarno;;;\n;Megawati;;\n;;a@x.fr;`);
    expect(body.faults).toEqual([
      { line: 4, what: expect.stringContaining("prénom ou nom : 1 à 60 lettres") },
    ]);
    const { body: whole } = await send(`${titles}\nSukarno;;;\n;Megawati;;`);
    expect(whole.persons).toMatchObject([
      { firstName: "Sukarno", lastName: "" },
      { firstName: "", lastName: "Megawati" },
    ]);
  });

  test("tells each fault by its line, and takes nobody over", async () => {
    const lines = [
      titles,
      "Ana;Le Roux;ana@x.fr;",
      "1;Roux;ana@;12",
      "Ana;Le Roux;ANA@x.fr;",
      "Bo;Y",
    ];
    const { body } = await send(lines.join("\n"));
    expect(body.persons).toEqual([]);
    expect(body.faults.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5]);
    expect(body.faults[0].what).toMatch(/prénom.*email.*téléphone/);
    expect(body.faults[1].what).toContain("ligne 2");
    expect((await owner.get(draft)).body.draft).toBeNull();
  });

  test("refuses what is no list of persons", async () => {
    expect((await send("nom;ville\nA;B")).body).toMatchObject({
      code: "card_order_file_columns",
      message: expect.stringMatching(/il manque prenom ; inconnu : «\u00a0ville\u00a0»/),
    });
    expect((await send(Buffer.from("%PDF-1.7\n"))).body.code).toBe("card_order_file_type");
    expect((await send('prenom;nom\n"Zoé;K')).body.code).toBe("card_order_file_unreadable");
    expect((await send(titles)).body.faults).toHaveLength(1);
    const crowd = Array.from(
      { length: 201 },
      (_, place) => `Zoé;K ${"x".repeat(place % 50)};${place}@x.fr;`,
    );
    const { faults } = (await send([titles, ...crowd].join("\n"))).body;
    expect(faults).toEqual([{ line: 202, what: "plus de 200 personnes" }]);
    expect((await send("x".repeat(520 * 1024))).body).toMatchObject({
      code: "document_too_large",
      message: expect.stringContaining("512\u202fko au plus"),
    });
  });
});

describe("POST /api/card-orders/:order/pay", () => {
  test("a card of somebody with a single name bears it", async () => {
    const single = { ...awa, firstName: "", lastName: "Sukarno" };
    const id = await ordered({ persons: [single, { ...yann, lastName: " " }], blank: 0 });
    expect((await dispatch(id)).cards).toMatchObject([{ name: "Sukarno" }, { name: "Yann" }]);
    const nobody = await persons({
      revision: 0,
      persons: [{ ...awa, firstName: "", lastName: "" }],
    });
    expect(nobody.body.code).toBe("card_order_name");
  });

  test("orders once, whatever repeats the call; its persons exist once the cards are made", async () => {
    const one = await ready();
    const [{ people }] = await query("select count(*)::int as people from person");
    const body = await paying(one);
    await leaveToSpend(server, body.objectID, one.price.totalCents + 100);
    const calls = Array.from({ length: 4 }, () =>
      owner.post(`/api/card-orders/${one.id}/pay`, body),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await walletOf()).projectedCents).toBe(100);
    const data = await dispatch(one.id);
    expect(data).toMatchObject({
      state: "ordered",
      quantity: 3,
      totalCents: one.price.totalCents,
      paidBy: "checkout",
      canCancel: true,
      canReceive: false,
      delivery: elsewhere,
      cards: [
        { cardnumber: null, name: "Awa Diallo", state: null },
        { cardnumber: null, name: "Yann Le Goff", state: null },
        { cardnumber: null, name: null, state: null },
      ],
    });
    const { items } = (await owner.get("/api/card-orders")).body;
    expect(items[0]).toMatchObject({ id: one.id, state: "ordered", quantity: 3 });
    expect((await query("select count(*)::int as people from person"))[0].people).toBe(people);
    const out = await run("card-orders export", String(data.number), join(folder, "first"));
    expect(out.ok, out.lines.join()).toBe(true);
    expect((await query("select count(*)::int as people from person"))[0].people).toBe(people + 3);
    const listed = (await owner.get("/api/pro-cards")).body.items;
    expect(listed.some((card: { name: string }) => card.name === "Awa Diallo")).toBe(true);
    expect(await query("select from card_order_person where order_id = $1", one.id)).toEqual([]);
    // The next draft is another.
    expect((await owner.get(draft)).body.draft).toBeNull();
  });

  test("refuses an incomplete draft, another price, a wallet that is short, and orders nothing", async () => {
    const { draft: begun } = (await persons({ persons: [], blank: 0 })).body;
    const pay = async (more = {}) =>
      (
        await owner.post(`/api/card-orders/${begun.id}/pay`, {
          ...(await paying({ ...begun })),
          totalCents: 0,
          ...more,
        })
      ).body.code;
    expect(await pay()).toBe("card_order_empty");
    await persons({ revision: 1 });
    expect(await pay({ revision: 2 })).toBe("card_order_incomplete");
    await owner.post(`${draft}/design`, { revision: 2, ...design });
    expect(await pay({ revision: 3 })).toBe("card_order_incomplete");
    await owner.post(`${draft}/delivery`, { revision: 3, ...elsewhere });
    const { totalCents } = (await owner.get(draft)).body.draft.price;
    expect(await pay({ revision: 4, totalCents: totalCents - 1 })).toBe("price_changed");
    expect(await pay({ revision: 3, totalCents })).toBe("order_changed");
    await leaveToSpend(server, (await walletOf()).objectID, totalCents - 1);
    expect(await pay({ revision: 4, totalCents })).toBe("insufficient_funds");
    const other = await server.as("canteenProvider");
    const mine = await other.post(`/api/card-orders/${begun.id}/pay`, await paying(begun));
    expect(mine.status).toBe(404);
    expect((await owner.get(draft)).body.draft).toMatchObject({ revision: 4 });
    expect((await owner.get(`/api/order/dispatch/${begun.id}`)).status).toBe(404);
  });

  test("asks for the code from the threshold on", async () => {
    const one = await ready();
    const body = await paying(one);
    await leaveToSpend(server, body.objectID, one.price.totalCents);
    server.deps.config.codeFromCents = one.price.totalCents;
    const paid = await approve(server, owner, `/api/card-orders/${one.id}/pay`, body);
    expect(paid.status, paid.text).toBe(200);
  });

  test("a payment at the provider orders once it is credited; a write meanwhile keeps the money", async () => {
    const press = (url: string, outcome: string) =>
      server.app.inject({
        method: "POST",
        url: new URL(url).pathname,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: `outcome=${outcome}`,
      });
    await server.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = server.app.server.address() as AddressInfo;
    server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
    const one = await ready();
    const begin = async (revision: number) =>
      (
        await owner.post(`/api/card-orders/${one.id}/pay`, {
          ...(await paying(one)),
          revision,
          method: "provider",
        })
      ).body.payment;
    const first = await begin(3);
    expect((await owner.get(draft)).body.draft.topUp).toBe(first.topUp);
    await press(first.paymentUrl, "declined");
    expect((await owner.get(draft)).body.draft).toMatchObject({
      topUp: null,
      paymentFailed: expect.stringMatching(/refusé/),
    });
    const second = await begin(3);
    await persons({ revision: 3, blank: 0 });
    const had = (await walletOf()).projectedCents;
    await press(second.paymentUrl, "success");
    expect((await walletOf()).projectedCents).toBe(had + one.price.totalCents);
    const { draft: changed } = (await owner.get(draft)).body;
    expect(changed).toMatchObject({ revision: 4, topUp: null });
    const third = await owner.post(`/api/card-orders/${one.id}/pay`, {
      ...(await paying(changed)),
      method: "provider",
    });
    await press(third.body.payment.paymentUrl, "success");
    expect(await dispatch(one.id)).toMatchObject({ state: "ordered", quantity: 2 });
    expect((await walletOf()).projectedCents).toBe(had + one.price.totalCents);
  });
});

describe("an order on its way", () => {
  test("is cancelled until it is printed: its money comes back, its cards are never made", async () => {
    const before = (await owner.get("/api/pro-cards")).body.items.length;
    const [{ people }] = await query("select count(*)::int as people from person");
    const left = async () => (await owner.get(draft)).body.left;
    const may = await left();
    const id = await ordered();
    const { totalCents } = await dispatch(id);
    // They count for what the company may still have.
    expect(await left()).toBe(may - 3);
    const done = await owner.post(`/api/card-orders/${id}/cancel`);
    expect(done.body.data).toMatchObject({ state: "cancelled", cards: [], canCancel: false });
    expect((await walletOf()).projectedCents).toBe(totalCents);
    expect((await owner.get("/api/pro-cards")).body.items).toHaveLength(before);
    expect((await query("select count(*)::int as people from person"))[0].people).toBe(people);
    expect(await query("select from card_order_person where order_id = $1", id)).toEqual([]);
    expect(await left()).toBe(may);
    const again = await owner.post(`/api/card-orders/${id}/cancel`);
    expect(again.body.code).toBe("card_order_state");
    expect((await walletOf()).projectedCents).toBe(totalCents);
  });

  test("goes from the printer to the first sign-in by number and code", async () => {
    const id = await ordered();
    const { number: order } = await dispatch(id);
    const one = String(order);
    expect((await run("card-orders list")).lines.join("\n")).toContain("3 cartes");
    // The batch of everybody's cards leaves those of an order to it.
    const [{ waiting }] = await query(`select count(*)::int as waiting from card c
      where state = 'approved' and replaces is null and not exists (select from pro_card k
        where k.person_id = c.person_id and k.order_id is not null)`);
    const batch = await run("cards batch", join(folder, "all"));
    expect(batch.lines[0]).toMatch(waiting > 0 ? `${waiting} carte` : /Aucune/);
    expect(await run("card-orders ship", one, "La Poste")).toEqual({
      ok: false,
      lines: ["Cette commande n'est plus dans l'état qui le permet."],
    });
    expect((await run("card-orders acknowledge", one, "IMP-7")).ok).toBe(false);
    const out = await run("card-orders export", one, join(folder, one));
    expect(out.ok, out.lines.join()).toBe(true);
    const [, letters = "", list = ""] = out.lines;
    const csv = await readFile(list, "utf8");
    expect(csv).toContain("Texte imprimé;Encre;Nom imprimé");
    expect(
      csv.match(/(Awa Diallo|Yann Le Goff);première carte;Ateliers Corail;Récif;oui/g),
    ).toHaveLength(2);
    // Whoever carries the third is not known yet: no name is printed on it, nor the company's.
    expect(csv.match(/;;première carte;Ateliers Corail;Récif;non/g)).toHaveLength(1);
    expect(wordsOf(await readFile(letters)).match(/Titulaire/g)).toHaveLength(2);
    const made = await dispatch(id);
    expect(made).toMatchObject({ state: "in_production", canCancel: false });
    expect(new Set(made.cards.map(({ state }: { state: string }) => state))).toEqual(
      new Set(["in_production"]),
    );
    const late = await owner.post(`/api/card-orders/${id}/cancel`);
    expect(late.body.code).toBe("card_order_state");
    expect((await run("card-orders ship", one, "La Poste")).lines[0]).toMatch(/accusé réception/);
    const again = await run("card-orders export", one, join(folder, `${one}-again`));
    expect(again.ok, again.lines.join()).toBe(true);
    const secrets = new Set(
      wordsOf(await readFile(again.lines[1] ?? "")).match(/\d{4}-\d{4}-\d{4}/g),
    );
    expect(secrets.size).toBe(3);
    expect(wordsOf(await readFile(letters))).toContain("Awa Diallo");
    expect((await run("card-orders acknowledge", one, "IMP-7")).ok).toBe(true);
    expect((await owner.post(`/api/card-orders/${id}/receive`)).body.code).toBe("card_order_state");
    expect((await run("card-orders ship", one, "La Poste", "6A123")).ok).toBe(true);
    expect(await dispatch(id)).toMatchObject({
      state: "shipped",
      carrier: "La Poste",
      tracking: "6A123",
      acknowledgedAt: expect.any(String),
      canReceive: true,
    });
    const mails = server.outbox.length;
    const received = (await owner.post(`/api/card-orders/${id}/receive`)).body.data;
    expect(received).toMatchObject({ state: "delivered", canReceive: false });
    const messages = server.outbox.slice(mails).filter(({ address }) => address === yann.email);
    expect(messages.map(({ body }) => body).join()).toContain("reçu votre carte pro");
    const his = received.cards.find(({ name }: { name: string }) => name === "Yann Le Goff");
    expect(his.state).toBe("received");
    await firstSignIn(his.cardnumber, [...secrets]);
    const states = (await dispatch(id)).cards.map(({ state }: { state: string }) => state);
    expect(states.toSorted()).toEqual(["active", "received", "received"]);
    expect((await run("card-orders show", one)).lines.join("\n")).toContain("Imprimeur : IMP-7");
  });

  /** One of the secrets is this card's; the right one opens it, and the password activates it. */
  async function firstSignIn(cardnumber: number, secrets: readonly string[]): Promise<void> {
    const tried = [];
    for (const secret of secrets) {
      tried.push(
        await server.anonymous.post("/api/login", { login: cardnumber, password: secret }),
      );
    }
    const logins = tried.filter(({ status }) => status === 200);
    expect(logins).toHaveLength(1);
    const bearer = server.withToken(logins[0]?.body["token"].jeton);
    const chosen = await bearer.post("/api/password/reset", {
      password: "mouette-grise-au-large-58",
    });
    expect(chosen.status, chosen.text).toBe(200);
  }

  test("a lost parcel is made again at no price, or cancelled; its secrets open nothing", async () => {
    const id = await ordered();
    const { number: order, totalCents } = await dispatch(id);
    const one = String(order);
    const send = async (folderName: string) => {
      const out = await run("card-orders export", one, join(folder, folderName));
      expect(out.ok, out.lines.join()).toBe(true);
      await run("card-orders acknowledge", one, "IMP-9");
      expect((await run("card-orders ship", one, "La Poste", "6A9")).ok).toBe(true);
      const words = wordsOf(await readFile(out.lines[1] ?? ""));
      return words.match(/\d{4}-\d{4}-\d{4}/g) ?? [];
    };
    expect((await run("card-orders lost", one)).ok).toBe(false);
    expect((await run("card-orders lost", one, "perdu")).ok).toBe(false);
    const paid = (await walletOf()).projectedCents;
    const former = await send(`l${one}`);
    const { cards } = await dispatch(id);
    expect(cards).toHaveLength(3);
    const mails = server.outbox.length;
    // It previews first: nothing is written, nobody is told.
    const preview = await run("card-orders lost", one);
    expect(preview.ok, preview.lines.join()).toBe(true);
    expect(preview.lines.join("\n")).toMatch(/Colis La Poste 6A9 : .*\n.*\nRien n'est noté/);
    expect((await dispatch(id)).state).toBe("shipped");
    expect(server.outbox).toHaveLength(mails);
    const lost = await run("card-orders lost", one, "Perdu par La Poste");
    expect(lost.ok, lost.lines.join()).toBe(true);
    expect(server.outbox.slice(mails).map(({ body }) => body)).toEqual([
      expect.stringContaining("perdue en route"),
    ]);
    expect(await dispatch(id)).toMatchObject({
      state: "ordered",
      totalCents,
      carrier: null,
      tracking: null,
      acknowledgedAt: null,
      canCancel: true,
    });
    const opens = async (secret: string) =>
      (
        await server.anonymous.post("/api/login", {
          login: cards[0].cardnumber,
          password: secret,
        })
      ).status === 200;
    for (const secret of former) expect(await opens(secret)).toBe(false);
    await send(`l${one}-again`);
    const numbers = async () =>
      (await dispatch(id)).cards.map((card: { cardnumber: number }) => card.cardnumber);
    expect(await numbers()).toEqual(cards.map((card: { cardnumber: number }) => card.cardnumber));
    expect((await walletOf()).projectedCents).toBe(paid);
    server.clock.advance(900_000);
    for (const secret of former) expect(await opens(secret)).toBe(false);
    expect((await run("card-orders lost", one, "Perdu encore")).ok).toBe(true);
    expect((await owner.post(`/api/card-orders/${id}/cancel`)).body.data.state).toBe("cancelled");
    expect((await walletOf()).projectedCents).toBe(paid + totalCents);
    const [{ state, disabled_at }] = await query(
      `select c.state, p.disabled_at from card c join person p on p.id = c.person_id
       where c.number = $1`,
      cards[0].cardnumber,
    );
    expect([state, disabled_at !== null]).toEqual(["expired", true]);
  });

  test("a parcel of which a card has served is not lost", async () => {
    const id = await ordered();
    const one = String((await dispatch(id)).number);
    const out = await run("card-orders export", one, join(folder, `s${one}`));
    await run("card-orders acknowledge", one, "IMP-10");
    await run("card-orders ship", one, "La Poste");
    const { cards } = await dispatch(id);
    const secrets = wordsOf(await readFile(out.lines[1] ?? "")).match(/\d{4}-\d{4}-\d{4}/g) ?? [];
    await firstSignIn(cards[0].cardnumber, secrets);
    for (const reason of [[], ["perdu"]]) {
      expect((await run("card-orders lost", one, ...reason)).lines.join()).toMatch(/a déjà servi/);
    }
    expect((await dispatch(id)).state).toBe("shipped");
  });

  test("the operator notes an arrival, and changes the prices of tomorrow", async () => {
    const id = await ordered();
    const one = String((await dispatch(id)).number);
    await run("card-orders export", one, join(folder, `d${one}`));
    await run("card-orders acknowledge", one, "IMP-8");
    await run("card-orders ship", one, "Colissimo");
    expect((await run("card-orders deliver", one)).ok).toBe(true);
    expect((await dispatch(id)).state).toBe("delivered");
    expect((await run("card-orders deliver", one)).ok).toBe(false);
    expect((await run("card-orders show", "999999")).ok).toBe(false);
    expect((await run("card-orders prices", "10=390")).ok).toBe(false);
    const changed = await run("card-orders prices", "1=500,20=300", "0");
    expect(changed.lines).toContain("dès 20 cartes : 3,00\u202f€");
    expect((await persons()).body.draft.price).toMatchObject({ unitCents: 500, deliveryCents: 0 });
    await run("card-orders prices", "1=490,10=390,50=290,100=240", "990", "50");
  });

  test("another company's is not found, nor is one that does not exist", async () => {
    const id = await ordered();
    const other = await server.as("canteenProvider");
    for (const path of [id, randomUUID()]) {
      expect((await other.get(`/api/order/dispatch/${path}`)).status).toBe(404);
      expect((await other.post(`/api/card-orders/${path}/cancel`)).status).toBe(404);
      expect((await other.post(`/api/card-orders/${path}/receive`)).status).toBe(404);
    }
    expect((await dispatch(id)).state).toBe("ordered");
  });
});

describe("POST /api/card-orders/:order/invoice", () => {
  const byInvoice = (one: Awaited<ReturnType<typeof ready>>, more = {}) =>
    [
      `/api/card-orders/${one.id}/invoice`,
      { revision: one.revision, totalCents: one.price.totalCents, ...more },
    ] as const;
  const balanceOf = async (id: string) =>
    (
      await query(
        `select i.kind, i.total_cents as total, b.due_cents - b.settled_cents as open
         from invoice i join invoice_balance b on b.invoice_id = i.id
         where i.subject_id = $1 order by i.kind desc`,
        id,
      )
    ).map(({ kind, total, open }) => [kind, Number(total), Number(open)]);

  test("orders once, to be paid within thirty days; nothing leaves a wallet", async () => {
    const one = await ready();
    const before = (await walletOf()).projectedCents;
    const [first, again] = await Promise.all([
      owner.post(...byInvoice(one)),
      owner.post(...byInvoice(one)),
    ]);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(first.body.data).toMatchObject({
      state: "ordered",
      paidBy: "invoice",
      invoice: { number: expect.stringMatching(/^F\d{4}-\d{5}$/) },
    });
    expect(first.body.data.cards).toHaveLength(3);
    expect((await walletOf()).projectedCents).toBe(before);
    const { totalCents } = one.price;
    expect(await balanceOf(one.id)).toEqual([["invoice", totalCents, totalCents]]);
    const done = await owner.post(`/api/card-orders/${one.id}/cancel`);
    expect(done.body.data.state).toBe("cancelled");
    expect(await balanceOf(one.id)).toEqual([
      ["invoice", totalCents, 0],
      ["credit_note", totalCents, 0],
    ]);
  });

  test("is refused by the operator until it is printed: the way back of a cancellation, with a reason", async () => {
    const id = await ordered();
    const { totalCents } = await dispatch(id);
    const [{ number: order }] = await query(
      "select number::text from card_order where id = $1",
      id,
    );
    expect((await run("card-orders refuse", order, " ")).ok).toBe(false);
    expect((await run("card-orders refuse", "999999", "Non")).ok).toBe(false);
    expect((await dispatch(id)).state).toBe("ordered");
    const done = await run("card-orders refuse", order, "Adresse inconnue du transporteur");
    expect(done).toMatchObject({ ok: true, lines: [expect.stringMatching(/refusée.*remboursé/)] });
    expect(await dispatch(id)).toMatchObject({ state: "cancelled", cards: [], canCancel: false });
    expect((await walletOf()).projectedCents).toBe(totalCents);
    const news = (await owner.get("/api/notifications")).body.items;
    expect(news[0]).toMatchObject({ title: "Commande de cartes refusée" });
    expect(news[0].body).toMatch(
      /refusée.: Adresse inconnue du transporteur\. Vous êtes remboursé/,
    );
    const trail = await query("select actor from audit where action = 'card_order.refuse'");
    expect(trail).toEqual([{ actor: "operator:alice" }]);
    const again = await run("card-orders refuse", order, "Encore");
    expect(again.ok).toBe(false);
    const printed = await ordered();
    const [{ number: late }] = await query(
      "select number::text from card_order where id = $1",
      printed,
    );
    expect((await run("card-orders export", late, join(folder, "refuse"))).ok).toBe(true);
    expect((await run("card-orders refuse", late, "Trop tard")).ok).toBe(false);
    expect((await dispatch(printed)).state).toBe("in_production");
  });

  test("paid since, by transfer and from a wallet: cancelled, each comes back the way it came", async () => {
    const one = await ready();
    const { totalCents } = one.price;
    const { invoice } = (await owner.post(...byInvoice(one))).body.data;
    const noted = invoiceCommands.find(({ name }) => name === "invoices transfer-received");
    const moved = await runByTwo(server.deps, noted, [invoice.number, "10", "VIR-1"]);
    expect(moved.ok, moved.lines.join()).toBe(true);
    const { objectID } = await walletOf();
    const walletCents = totalCents - 1000;
    await leaveToSpend(server, objectID, walletCents);
    const pay = { totalCents: walletCents, method: "wallet", objectID };
    const paid = await owner.post(`/api/invoices/${invoice.id}/pay`, pay);
    expect(paid.status, paid.text).toBe(200);
    expect((await walletOf()).projectedCents).toBe(0);
    const paidSince = { walletCents, transferCents: 1000 };
    expect(await dispatch(one.id)).toMatchObject({ canCancel: true, paidSince });

    const done = await owner.post(`/api/card-orders/${one.id}/cancel`);
    expect(done.body.data).toMatchObject({ state: "cancelled", paidSince });
    expect((await walletOf()).projectedCents).toBe(walletCents);
    // What came by transfer stays open until the operator has sent it back.
    expect(await balanceOf(one.id)).toEqual([
      ["invoice", totalCents, 0],
      ["credit_note", totalCents, 1000],
    ]);
    const { body } = server.outbox.findLast(
      ({ subject }) => subject === "Commande de cartes annulée",
    ) as { body: string };
    expect(body).toContain(`Vous êtes remboursé\u00a0: ${formatMoney(walletCents)} sur`);
    expect(body).toContain("10,00\u202f€ vous seront virés.");
  });

  test("what was paid at the order is said on its invoice, and on its credit note", async () => {
    const id = await ordered();
    const { totalCents } = await dispatch(id);
    expect(await balanceOf(id)).toEqual([["invoice", totalCents, 0]]);
    // Its cards are still to be made.
    const [{ delivered }] = await query(
      "select content->>'deliveredOn' as delivered from invoice where subject_id = $1",
      id,
    );
    expect(delivered).toBeNull();
    await owner.post(`/api/card-orders/${id}/cancel`);
    expect(await balanceOf(id)).toEqual([
      ["invoice", totalCents, 0],
      ["credit_note", totalCents, 0],
    ]);
  });

  test("asks for the code from the threshold on, and refuses another price, content or role", async () => {
    const one = await ready();
    server.deps.config.codeFromCents = one.price.totalCents;
    const [path, body] = byInvoice(one);
    expect((await owner.post(path, { ...body, totalCents: 1 })).body.code).toBe("price_changed");
    expect((await owner.post(path, { ...body, revision: 1 })).body.code).toBe("card_order_changed");
    const accountant = await colleague("accountant");
    expect((await accountant.post(path, body)).body.code).toBe("company_role");
    expect(await balanceOf(one.id)).toEqual([]);
    expect((await approve(server, owner, path, body)).body.data.state).toBe("ordered");
  });

  // proves: card-orders
  test("ordered and cancelled over and over, it waits for the next day, however it is paid", async () => {
    const made = async () => [
      (await query("select count(*)::int as count from person"))[0].count,
      (await query("select count(*)::int as count from invoice"))[0].count,
      server.outbox.length,
    ];
    for (let round = 0; round < limits.perDay; round++) {
      const one = await ready();
      expect((await owner.post(...byInvoice(one))).status).toBe(200);
      expect((await owner.post(`/api/card-orders/${one.id}/cancel`)).status).toBe(200);
    }
    const one = await ready();
    const before = await made();
    const refused = await owner.post(...byInvoice(one));
    expect([refused.status, refused.body.code]).toEqual([409, "card_order_day"]);
    const { objectID } = await walletOf();
    await leaveToSpend(server, objectID, one.price.totalCents);
    const paid = await owner.post(`/api/card-orders/${one.id}/pay`, await paying(one));
    expect(paid.body.code).toBe("card_order_day");
    expect(await made()).toEqual(before);
    expect((await walletOf()).projectedCents).toBe(one.price.totalCents);
    server.clock.advance(24 * 3_600_000);
    owner = await server.as("employer");
    expect((await owner.post(...byInvoice(one))).status).toBe(200);
    await owner.post(`/api/card-orders/${one.id}/cancel`);
  });

  // proves: card-orders
  test("no more of them are left unpaid than a few: the next is paid at once, or once one is settled", async () => {
    await query("update card_order set state = 'cancelled' where state = 'ordered'");
    const ids = [];
    for (let n = 0; n < limits.unpaid; n++) {
      const one = await ready();
      expect((await owner.post(...byInvoice(one))).status).toBe(200);
      ids.push(one.id);
    }
    const one = await ready();
    const refused = await owner.post(...byInvoice(one));
    expect([refused.status, refused.body.code]).toEqual([409, "card_order_unpaid"]);
    expect(await balanceOf(one.id)).toEqual([]);
    const { objectID } = await walletOf();
    await leaveToSpend(server, objectID, one.price.totalCents);
    const paid = await owner.post(`/api/card-orders/${one.id}/pay`, await paying(one));
    expect(paid.status, paid.text).toBe(200);
    await owner.post(`/api/card-orders/${ids[0]}/cancel`);
    const next = await ready();
    expect((await owner.post(...byInvoice(next))).status).toBe(200);
    for (const id of [...ids.slice(1), one.id, next.id]) {
      await owner.post(`/api/card-orders/${id}/cancel`);
    }
  });

  test("needs somebody to issue it, and a company that the law can name", async () => {
    const one = await ready();
    const { issuer } = server.deps.config;
    server.deps.config.issuer = null;
    const [path, body] = byInvoice(one);
    expect((await owner.post(path, body)).body.code).toBe("invoice_issuer");
    server.deps.config.issuer = issuer;
    const company = `id = (select company_id from company_member m join card c
      on c.person_id = m.person_id where c.number = ${number})`;
    const [{ siren, siret }] = await query(`select siren, siret from company where ${company}`);
    await query(`update company set siren = null, siret = null where ${company}`);
    expect((await owner.get(draft)).body.company.invoiced).toBe(false);
    expect((await owner.post(path, body)).body.code).toBe("invoice_buyer");
    const { objectID } = await walletOf();
    await leaveToSpend(server, objectID, one.price.totalCents);
    const paid = await owner.post(`/api/card-orders/${one.id}/pay`, await paying(one));
    expect(paid.body.code).toBe("invoice_buyer");
    await query(`update company set siren = $1, siret = $2 where ${company}`, siren, siret);
    expect((await owner.get(draft)).body.draft).toMatchObject({ revision: 3 });
    expect(await query("select from pro_card where order_id = $1", one.id)).toEqual([]);
  });
});
