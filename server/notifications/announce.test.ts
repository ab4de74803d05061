// Announcements: recipients, channels, and the content of the e-mail.
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Channel, mandatoryKinds, noticeKinds } from "#contract/notifications/kinds.ts";
import { spelled } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { emailHtml, emailText, smsOf } from "./letter.ts";
import { announce, type Announcement, makeSend } from "./notifications.ts";

let server: TestServer;
let personId: number;
const phone = "+33612345699";

beforeAll(async () => {
  server = await openTestServer();
  ({ personId } = await server.deps.db
    .selectFrom("card")
    .select("personId")
    .where("number", "=", cast.stranger.cardnumber)
    .executeTakeFirstOrThrow());
});
afterEach(async () => {
  server.outbox.length = 0;
  await server.deps.db.deleteFrom("notificationChoice").execute();
  await onFile({ email: cast.stranger.email, phonenumber: phone });
});
afterAll(() => server.close());

const onFile = (contacts: { email: string | null; phonenumber: string | null }) =>
  server.deps.db.updateTable("person").set(contacts).where("id", "=", personId).execute();

const news = (): Announcement => ({
  about: "pass",
  to: [personId],
  title: "Titre bientôt terminé",
  body: "Votre titre se termine le 30/11/2026.",
  path: "/Abonnement/ligne/1",
  at: server.deps.now(),
  channels: "outside",
});
const tell = (more: Partial<Announcement> = {}) =>
  inTx(server.deps.db, (tx) => announce(tx, server.deps, { ...news(), ...more }));
const heardBy = () => server.outbox.map(({ channel }) => channel);
const choose = (channel: Channel, enabled: boolean, kind = "pass") =>
  server.deps.db
    .insertInto("notificationChoice")
    .values({ personId, kind, channel, enabled })
    .execute();

describe("who hears by which channel", () => {
  test("outside: the e-mail; without one, an SMS; without either, the bell alone", async () => {
    await onFile({ email: cast.stranger.email, phonenumber: phone });
    await tell();
    await onFile({ email: null, phonenumber: phone });
    await tell();
    await onFile({ email: null, phonenumber: null });
    await tell();
    expect(server.outbox.map(({ address }) => address)).toEqual([cast.stranger.email, phone]);
    const client = await server.as("stranger");
    const { items } = (await client.get("/api/notifications")).body;
    expect(items.slice(0, 3).map(({ title }: { title: string }) => title)).toEqual(
      Array(3).fill("Titre bientôt terminé"),
    );
  });

  test("every kind reaches by each channel that it is asked on", async () => {
    await onFile({ email: cast.stranger.email, phonenumber: phone });
    for (const about of noticeKinds) await tell({ about, channels: ["email", "sms"] });
    expect(heardBy()).toEqual(noticeKinds.flatMap(() => ["email", "sms"]));
  });

  test("portal, the default, and a closed account: no message", async () => {
    await tell({ channels: "portal" });
    const closed = (at: Date | null) =>
      server.deps.db
        .updateTable("person")
        .set({ disabledAt: at })
        .where("id", "=", personId)
        .execute();
    await closed(server.deps.now());
    await tell();
    await closed(null);
    expect(heardBy()).toEqual([]);
  });

  test("a channel switched off stays silent, one switched on is added, for that kind alone", async () => {
    await onFile({ email: cast.stranger.email, phonenumber: phone });
    await choose("email", false);
    await tell();
    expect(heardBy()).toEqual([]);
    await choose("sms", true);
    await tell();
    await tell({ about: "ticket" });
    expect(heardBy()).toEqual(["sms", "email"]);
  });

  test("what protects the account cannot be switched off", async () => {
    for (const kind of mandatoryKinds) {
      await choose("email", false, kind);
      await tell({ about: kind });
    }
    expect(heardBy()).toEqual([...mandatoryKinds].map(() => "email"));
  });

  test("a channel that this installation does not carry is passed over", async () => {
    await onFile({ email: cast.stranger.email, phonenumber: phone });
    const config = {
      ...server.deps.config,
      demo: false,
      smtpUrl: null,
      smsUrl: "http://sms.exemple.fr",
    };
    await inTx(server.deps.db, (tx) => announce(tx, { ...server.deps, config }, news()));
    expect(heardBy()).toEqual(["sms"]);
  });
});

const letter = {
  subject: "Recharge <faite>",
  name: "Léa & Tom",
  body: "Dix euros ont rejoint votre cagnotte.",
  note: "Le reçu est dans vos opérations.",
  facts: ["Montant : 10,00 €", "Référence : 1234"],
  code: "482915",
  action: { label: "Voir l'opération", path: "/cagnottes/1/operations" },
};
const settings = {
  publicUrl: "https://carte.exemple.fr",
  supportPhone: "02 62 00 00 00",
  supportEmail: "aide@exemple.fr",
};

/** Tags that are closed in the order in which they were opened; throws at the first that is not. */
function parse(html: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  for (const [, slash, name = "", rest = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g)) {
    seen.push(name);
    if (slash && open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    if (!slash && !rest.endsWith("/")) open.push(name);
    if (!slash && !/^(?:\s+[a-z-]+="[^"<>]*")*\s*\/?$/.test(rest))
      throw new Error(`<${name}${rest}>`);
  }
  expect(open).toEqual([]);
  return seen;
}

test("a letter about the subscription spells its address as people do, in every form", () => {
  const about = {
    ...letter,
    action: { label: "Compléter", path: `${spelled.path}?piece=1` },
  };
  for (const form of [emailText, emailHtml, smsOf]) {
    expect(form(settings, about)).toContain("https://carte.exemple.fr/abonnement?piece=1");
    expect(form(settings, about)).not.toContain(spelled.path);
  }
});

describe("GET and POST /api/notifications/choices", () => {
  const kindOf = (body: any, kind: string) => body.kinds.find((one: any) => one.kind === kind);

  // proves: notifications
  test("what leaves without a choice, then what was chosen: announced so, for that person alone", async () => {
    const hugo = await server.as("stranger");
    const first = await hugo.get("/api/notifications/choices");
    expect(first.body.channels).toEqual([
      { channel: "email", state: "ready" },
      { channel: "sms", state: "ready" },
    ]);
    expect(kindOf(first.body, "pass")).toEqual({
      kind: "pass",
      email: true,
      sms: false,
      bell: null,
    });
    expect(kindOf(first.body, "family")).toEqual({
      kind: "family",
      email: false,
      sms: false,
      bell: null,
    });
    await hugo.post("/api/notifications/choices", {
      kind: "pass",
      channel: "email",
      enabled: false,
    });
    const chosen = await hugo.post("/api/notifications/choices", {
      kind: "pass",
      channel: "sms",
      enabled: true,
    });
    expect(kindOf(chosen.body, "pass")).toEqual({
      kind: "pass",
      email: false,
      sms: true,
      bell: null,
    });
    await tell();
    expect(heardBy()).toEqual(["sms"]);
    const camille = await server.as("guardian");
    const others = await camille.get("/api/notifications/choices");
    expect(kindOf(others.body, "pass")).toMatchObject({ email: true, sms: false });
    const shop = await (await server.as("partnerShop")).get("/api/notifications/choices");
    expect(shop.body.kinds.map(({ kind }: any) => kind)).toEqual([
      "card",
      "invoice",
      "partnership",
      "contact",
    ]);
  });

  // proves: notifications
  test("a kind that protects the account cannot be chosen, and nothing is kept", async () => {
    const hugo = await server.as("stranger");
    const refused = await hugo.post("/api/notifications/choices", {
      kind: "security",
      channel: "email",
      enabled: false,
    });
    expect([refused.status, refused.body["code"]]).toEqual([400, "invalid_input"]);
    const { rows } = await server.deps.pool.query("select from notification_choice");
    expect(rows).toEqual([]);
  });

  test("without an address on file the channel says so, and the other one is the usual one", async () => {
    await onFile({ email: null, phonenumber: phone });
    const hugo = await server.as("stranger");
    const { body } = await hugo.get("/api/notifications/choices");
    expect(body.channels[0]).toEqual({ channel: "email", state: "no_address" });
    expect(kindOf(body, "pass")).toEqual({ kind: "pass", email: false, sms: true, bell: null });
  });
});

describe("the e-mail", () => {
  test("its HTML parses, escapes what it is given, and has no image, script or form", () => {
    const html = emailHtml(settings, letter);
    const tags = new Set(parse(html));
    for (const tag of ["img", "script", "link", "iframe", "form", "object"]) {
      expect(tags.has(tag)).toBe(false);
    }
    expect(html).toContain("Recharge &#60;faite&#62;");
    expect(html).toContain("Léa &#38; Tom");
  });

  test("its HTML loads nothing, and leads to the portal only", () => {
    const html = emailHtml(settings, letter);
    expect(html).not.toMatch(/\bsrc=|url\(|@import|background="|srcset/);
    const addresses = [...html.matchAll(/https?:\/\/[^"'\s<]+/g)].map(([address]) => address);
    expect(new Set(addresses)).toEqual(
      new Set([settings.publicUrl, `${settings.publicUrl}/cagnottes/1/operations`]),
    );
  });

  test("its text says all that the HTML says", () => {
    const text = emailText(settings, letter);
    const html = emailHtml(settings, letter).replaceAll("&#39;", "'").replaceAll("&#38;", "&");
    const said = [
      "Bonjour Léa & Tom,",
      letter.body,
      letter.note,
      "10,00 €",
      "1234",
      "Voir l'opération",
      "https://carte.exemple.fr/cagnottes/1/operations",
      "02\u00a062\u00a000\u00a000\u00a000",
      "aide@exemple.fr",
    ];
    for (const words of said) {
      expect(text).toContain(words);
      expect(html).toContain(words);
    }
  });

  test("an SMS has the words and the address of what is asked, no other", () => {
    const { code: _, ...plain } = letter;
    expect(smsOf(settings, plain)).toBe(
      "Ma carte. Dix euros ont rejoint votre cagnotte. Le reçu est dans vos opérations. " +
        "Voir l'opération : https://carte.exemple.fr/cagnottes/1/operations",
    );
    const { action: __, ...silent } = plain;
    expect(smsOf(settings, { ...silent, path: "/dashboard" })).not.toContain("http");
  });
});

test("GET /demo/messages frames the HTML of an e-mail, GET /demo/messages/:id gives it alone", async () => {
  const deps = { ...server.deps, send: makeSend(server.deps) };
  await inTx(deps.db, (tx) => announce(tx, deps, news()));
  const { rows } = await sql<{ id: number }>`select max(id) as id from outbox`.execute(deps.db);
  const path = `/demo/messages/${rows[0]?.id}`;
  expect((await server.anonymous.get("/demo/messages")).text).toContain(`src="${path}"`);
  const mail = await server.anonymous.get(path);
  expect(mail.text).toContain("Votre titre se termine le 30/11/2026.");
  expect(mail.headers["content-security-policy"]).toMatch(/^default-src 'none';.* sandbox /);
  expect((await server.anonymous.get("/demo/messages/999999")).status).toBe(404);
});
