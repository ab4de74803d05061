// Messages against real gateways of our own: an SMTP server and an HTTP one, on the loopback.
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import pino from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import type { Deps, Message } from "#server/process/deps.ts";
import { runJobsOnce } from "#server/process/jobs.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { makeSend } from "./notifications.ts";

let server: TestServer;
let smtp: SMTPServer;
let gateway: Server;
let deps: Deps;
const mails: { to: string[]; raw: string }[] = [];
const texts: Record<string, string>[] = [];
const logged: string[] = [];
let smsStatus = 200;
let refuseMail = false;

beforeAll(async () => {
  server = await openTestServer();
  smtp = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === "carte" && password === "bon mot") return done(null, { user: username });
      done(new Error("535 refused"));
    },
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      let raw = "";
      stream.on("data", (chunk: Buffer) => {
        raw += chunk.toString("utf8");
      });
      stream.on("end", () => {
        if (refuseMail) return done(new Error("451 code 123456 refused"));
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
  });
  const smtpPort = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, "127.0.0.1", () =>
      resolve((listening.address() as AddressInfo).port),
    );
  });
  gateway = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => {
      if (smsStatus === 200) texts.push(JSON.parse(body) as Record<string, string>);
      response.writeHead(smsStatus).end();
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  deps = {
    ...server.deps,
    send: makeSend(server.deps),
    log: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
    config: {
      ...server.deps.config,
      smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
      smsUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/sms`,
    },
  };
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(resolve));
  gateway.closeAllConnections();
  await new Promise((resolve) => void gateway.close(resolve));
  await server.close();
});
afterEach(async () => {
  mails.length = 0;
  texts.length = 0;
  smsStatus = 200;
  refuseMail = false;
  await server.deps.db.deleteFrom("outbox").execute();
  await runJobsOnce(deps);
});

const code: Message = {
  channel: "email",
  address: "camille.moreau@exemple.fr",
  subject: "Votre code",
  body: "Votre code est 482915. Il est valable dix minutes.",
  personId: null,
  secret: true,
};
const sms: Message = { ...code, channel: "sms", address: "+33612345601" };
const news: Message = { ...code, subject: "Reçu", body: "Été : 12,50 €", secret: false };

const send = (message: Message) => inTx(deps.db, (tx) => deps.send(tx, message));
const storedMessage = () =>
  deps.db.selectFrom("outbox").selectAll().orderBy("id").executeTakeFirstOrThrow();

describe("a message that leaves", () => {
  // proves: log-secrets
  test("e-mail: arrives with its subject, once; the code is blanked, never logged", async () => {
    await send(code);
    await runJobsOnce(deps);
    await runJobsOnce(deps);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual(["camille.moreau@exemple.fr"]);
    expect(mails[0]?.raw).toContain("482915");
    expect(mails[0]?.raw).toMatch(/Message-ID: <message-\d+@/i);
    expect(await storedMessage()).toMatchObject({
      body: "",
      attempts: 1,
      sentAt: expect.any(Date),
    });
    expect(logged.join("")).not.toContain("482915");
  });

  test("e-mail: its files arrive; one whose subject is gone since is left out", async () => {
    const file = { filename: "un.txt", contentType: "text/plain", base64: "w6l0w6k=" };
    const gone = { source: "tickets_pdf", id: randomUUID() } as const;
    const attachments = [file, { filename: "b.pdf", contentType: "application/pdf", ...gone }];
    await send({ ...news, attachments });
    await runJobsOnce(deps);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.raw).toMatch(/filename=un\.txt/);
    expect(mails[0]?.raw).toContain(file.base64);
    expect(mails[0]?.raw).not.toContain("b.pdf");
  });

  test("SMS: the gateway gets {to, text}", async () => {
    await send(sms);
    await runJobsOnce(deps);
    expect(texts).toEqual([{ to: "+33612345601", text: sms.body }]);
    expect((await storedMessage()).body).toBe("");
  });

  test("what is no code keeps its text, accents too", async () => {
    await send(news);
    await runJobsOnce(deps);
    expect(mails[0]?.raw).toContain(Buffer.from(news.body).toString("base64"));
    expect((await storedMessage()).body).toBe(news.body);
  });

  test("a code that its sender did not mark is blanked all the same", async () => {
    const { secret: _, ...unmarked } = code;
    await send(unmarked);
    await runJobsOnce(deps);
    expect((await storedMessage()).body).toBe("");
  });
});

describe("a message that cannot leave", () => {
  test("a transaction that fails sends nothing and queues nothing", async () => {
    const failing = inTx(deps.db, async (tx) => {
      await deps.send(tx, code);
      throw new Error("the room refuses");
    });
    await expect(failing).rejects.toThrow("the room refuses");
    await runJobsOnce(deps);
    expect(mails).toEqual([]);
    expect(await deps.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("a gateway that refuses is tried again later, and then it leaves", async () => {
    smsStatus = 500;
    await send(sms);
    await runJobsOnce(deps);
    expect(texts).toEqual([]);
    expect(await storedMessage()).toMatchObject({
      attempts: 1,
      sentAt: null,
      body: sms.body,
      lastError: "the SMS gateway answers 500",
    });
    smsStatus = 200;
    await runJobsOnce(deps);
    expect(texts).toEqual([]);
    server.clock.advance(60_000);
    await runJobsOnce(deps);
    expect(texts).toHaveLength(1);
    expect(await storedMessage()).toMatchObject({ attempts: 2, body: "", lastError: null });
  });

  // proves: log-secrets
  test("an error that repeats the code is kept and logged without it", async () => {
    refuseMail = true;
    await send(code);
    await runJobsOnce(deps);
    const { lastError } = await storedMessage();
    expect(lastError).toMatch(/\S/);
    expect(lastError).not.toMatch(/\d{6}/);
    expect(logged.join("")).not.toMatch(/482915|123456/);
  });

  test("a gateway that is gone, or refuses our password: tried again, the password in no trace", async () => {
    const through = (smtpUrl: string) => ({ ...deps, config: { ...deps.config, smtpUrl } });
    const { host } = new URL(deps.config.smtpUrl ?? "");
    await send(news);
    await runJobsOnce(through("smtp://127.0.0.1:9"));
    expect(await storedMessage()).toMatchObject({ attempts: 1, sentAt: null, body: news.body });
    server.clock.advance(60_000);
    await runJobsOnce(through(`smtp://carte:mauvais-mot@${host}`));
    const refused = await storedMessage();
    expect(refused).toMatchObject({ attempts: 2, sentAt: null, abandonedAt: null });
    expect(refused.lastError + logged.join("")).not.toContain("mauvais-mot");
    expect(mails).toEqual([]);
    server.clock.advance(600_000);
    await runJobsOnce(through(`smtp://carte:bon%20mot@${host}`));
    expect(mails).toHaveLength(1);
    expect(await storedMessage()).toMatchObject({
      attempts: 3,
      lastError: null,
      sentAt: expect.any(Date),
    });
  });

  test("a code past its ten minutes is given up, its text with it", async () => {
    smsStatus = 503;
    await send(sms);
    await runJobsOnce(deps);
    smsStatus = 200;
    server.clock.advance(11 * 60_000);
    await runJobsOnce(deps);
    expect(texts).toEqual([]);
    expect(await storedMessage()).toMatchObject({
      body: "",
      sentAt: null,
      abandonedAt: expect.any(Date),
    });
  });

  test("without a gateway: kept in demo mode, given up otherwise", async () => {
    const without = { ...deps.config, smtpUrl: null, smsUrl: null };
    await send(code);
    await runJobsOnce({ ...deps, config: { ...without, demo: true } });
    expect(await storedMessage()).toMatchObject({
      sentAt: null,
      abandonedAt: null,
      body: code.body,
    });
    await deps.db.deleteFrom("outbox").execute();
    await send(code);
    await runJobsOnce({ ...deps, config: { ...without, demo: false } });
    expect(await storedMessage()).toMatchObject({
      sentAt: null,
      body: "",
      abandonedAt: expect.any(Date),
    });
  });
});

describe("GET /demo/messages", () => {
  test("shows what was kept, newest first, escaped, under a policy without scripts", async () => {
    await send({ ...news, subject: "<b>Premier</b>" });
    await send(code);
    const { status, text, headers } = await server.anonymous.get("/demo/messages");
    expect(status).toBe(200);
    expect(text.indexOf("482915")).toBeGreaterThan(0);
    expect(text.indexOf("482915")).toBeLessThan(text.indexOf("Premier"));
    expect(text).not.toContain("<b>Premier");
    expect(text).not.toContain("<script");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test("outside demo mode it does not exist", async () => {
    const plain = await openTestServer({ demo: false });
    const { status, body } = await plain.anonymous.get("/demo/messages");
    expect({ status, code: body.code }).toEqual({ status: 404, code: "not_found" });
    await plain.close();
  });
});
