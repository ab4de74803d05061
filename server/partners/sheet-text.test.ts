// What the owner of a sheet writes on it: shown at once to holders, refused to everybody else, without
// overlapping hours or closures.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let camille: Client;
let id: string;
let before: Record<string, any>;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const path = () => `/api/partners/own/${id}`;
const written = {
  summary: "Livres, presse et un zébrographe.",
  description: "Au bord de l’eau.\n\nOn y lit.",
  phone: "02 99 12 34 56",
  hours: [
    { weekday: 1, opens: "09:00", closes: "12:00" },
    { weekday: 1, opens: "14:00", closes: "24:00" },
  ],
  closures: [{ fromOn: "2126-08-01", toOn: "2126-08-15", reason: "Congés" }],
  offers: [
    { kind: "discount", title: "5 % sur les livres", detail: null, fromOn: null, toOn: null },
    { kind: "extra", title: "Un marque-page", detail: "Pour tout achat", fromOn: null, toOn: null },
  ],
};
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body["code"]];

beforeAll(async () => {
  server = await openTestServer();
  await furnishDirectory(server.deps);
  shop = await server.as("partnerShop");
  camille = await server.as("guardian");
  id = (await query("select id from partner where reference = 'librairie-des-embruns'"))[0].id;
  before = (await shop.get(path())).body;
});
afterAll(() => server.close());

test("an owner writes the sheet; holders read it and find it by its new words at once", async () => {
  expect(before).toMatchObject({ id, canEdit: true, name: "Librairie des Embruns" });
  const found = async () =>
    (await camille.get("/api/partners?q=zébrographe")).body.items.map((one: any) => one.id);
  expect(await found()).not.toContain(id);
  const done = await shop.post(path(), written);
  expect(done.status, done.text).toBe(200);
  expect(done.body).toMatchObject({ ...written, phone: "+33299123456" });
  const sheet = (await camille.get(`/api/partners/${id}`)).body;
  expect(sheet).toMatchObject({
    summary: written.summary,
    description: written.description,
    phone: "+33299123456",
    closures: [{ reason: "Congés" }],
    offers: [{ title: "5 % sur les livres" }, { title: "Un marque-page" }],
  });
  expect(sheet.hours.find(({ weekday }: any) => weekday === 1).spans).toEqual([
    { opens: "09:00", closes: "12:00" },
    { opens: "14:00", closes: "24:00" },
  ]);
  expect(sheet.name).toBe("Librairie des Embruns");
  expect(await found()).toContain(id);
  const [line] = await query("select details from audit where action = 'partner.sheet'");
  expect(line.details).toEqual({ name: "Librairie des Embruns" });
});

// proves: sheet-owner
test("what crosses or is not valid changes nothing", async () => {
  const original = (await shop.get(path())).body;
  const [span] = written.hours;
  const [closure] = written.closures;
  const [offer] = written.offers;
  const refused: [object, number, string][] = [
    [
      { hours: [span, { weekday: 1, opens: "11:59", closes: "13:00" }] },
      422,
      "partner_hours_overlap",
    ],
    [{ hours: [span, span] }, 422, "partner_hours_overlap"],
    [{ hours: [{ weekday: 1, opens: "12:00", closes: "12:00" }] }, 400, "invalid_input"],
    [{ hours: [{ weekday: 8, opens: "09:00", closes: "12:00" }] }, 400, "invalid_input"],
    [
      { closures: [closure, { fromOn: "2126-08-15", toOn: "2126-08-20", reason: "Encore" }] },
      422,
      "partner_closures_overlap",
    ],
    [{ closures: [{ ...closure, toOn: "2126-07-31" }] }, 400, "invalid_input"],
    [{ offers: [{ ...offer, fromOn: "2126-02-02", toOn: "2126-02-01" }] }, 400, "invalid_input"],
    [{ offers: [{ ...offer, title: "" }] }, 400, "invalid_input"],
    [{ phone: "123456" }, 422, "phone_invalid"],
    [{ summary: "   " }, 400, "invalid_input"],
  ];
  for (const [wrong, status, code] of refused) {
    expect(codeOf(await shop.post(path(), { ...written, ...wrong })), code).toEqual([status, code]);
  }
  expect((await shop.get(path())).body).toEqual(original);
});

test("a number of overseas is dialled like one of the mainland, and kept under its own country code", async () => {
  const cases: [string, string][] = [
    ["0692 12 34 56", "+262692123456"],
    ["0693 01 23 45", "+262693012345"],
    ["0262.12.34.56", "+262262123456"],
    ["0639 01 23 45", "+262639012345"],
    ["0269 61 23 45", "+262269612345"],
    ["0690 12 34 56", "+590690123456"],
    ["0691 22 34 56", "+590691223456"],
    ["05 90 12 34 56", "+590590123456"],
    ["0694-12-34-56", "+594694123456"],
    ["0696123456", "+596696123456"],
    ["0697 12 34 56", "+596697123456"],
    ["0596 52 34 56", "+596596523456"],
    ["+262 692 12 34 56", "+262692123456"],
    ["+262 (0) 692 12 34 56", "+262692123456"],
    ["0508 41 23 45", "+508412345"],
    ["00 262 692 12 34 56", "+262692123456"],
    ["06 98 76 54 32", "+33698765432"],
    ["05 56 12 34 56", "+33556123456"],
    ["0800 12 34 56", "+33800123456"],
    ["+32 2 612 34 56", "+3226123456"],
  ];
  for (const [phone, e164] of cases) {
    const done = await shop.post(path(), { ...written, phone });
    expect([phone, done.status, done.body.phone]).toEqual([phone, 200, e164]);
  }
  for (const phone of ["+33 692 12 34 56", "0691 99 99 99", "0699"]) {
    expect(codeOf(await shop.post(path(), { ...written, phone }))).toEqual([422, "phone_invalid"]);
  }
});

test("spans that touch and closures one after the other are no overlap", async () => {
  const done = await shop.post(path(), {
    ...written,
    phone: null,
    hours: [
      { weekday: 2, opens: "09:00", closes: "12:00" },
      { weekday: 2, opens: "12:00", closes: "18:00" },
      { weekday: 3, opens: "10:00", closes: "11:00" },
    ],
    closures: [...written.closures, { fromOn: "2126-08-16", toOn: "2126-08-16", reason: "Pont" }],
  });
  expect(done.body).toMatchObject({ phone: null });
  expect(done.body.hours).toHaveLength(3);
});

// proves: sheet-owner
test("only its owner writes it: not an accountant, not another company, not a hidden other", async () => {
  const original = (await shop.get(path())).body;
  const [{ id: shopId }] = await query(
    "select person_id as id from card where number = $1",
    cast.partnerShop.cardnumber,
  );
  for (const role of ["accountant", "cashier"]) {
    await query("update company_member set roles = array[$1] where person_id = $2", role, shopId);
    expect((await shop.get(path())).body).toMatchObject({ canEdit: false });
    expect(codeOf(await shop.post(path(), written))).toEqual([403, "company_role"]);
  }
  await query("update company_member set roles = '{owner}' where person_id = $1", shopId);
  const employer = await server.as("employer");
  expect(codeOf(await employer.get(path()))).toEqual([404, "not_found"]);
  expect(codeOf(await employer.post(path(), written))).toEqual([404, "not_found"]);
  expect((await shop.get(path())).body).toEqual(original);
});
