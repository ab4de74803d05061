// `call` against a real HTTP server: what it sends, how it waits, what it makes of each answer.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "#contract/api.ts";
import type { User } from "#contract/identity/rows.ts";
import { spec } from "#contract/limits.ts";
import { answerFrom, installPage, tokenSaying } from "#tests/page-globals.ts";

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
type Answer = (response: ServerResponse, request: Received) => void;

const received: Received[] = [];
let answer: Answer;
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (part: string) => (body += part));
  request.on("end", () => {
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body });
    answer(response, received.at(-1) as Received);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));

const page = installPage();
answerFrom(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const { ApiProblem, prefetch, call } = await import("./api.ts");
const { hasJustActed } = await import("./recent-actions.ts");
const { onChanges } = await import("./changes.ts");
const { loading } = await import("./progress.ts");
const session = await import("./session.ts");
const { keepToken } = await import("./token.ts");
const { login } = await import("./login.ts");

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
const problem = (status: number, code: string, message: string, details?: object) =>
  json(status, { message, code, requestId: "r-1", ...(details && { details }) });

const token = tokenSaying({ exp: Date.now() / 1000 + 3600, sub: "person" });
const wallet = "0d8e2b1c-0000-4000-8000-000000000001";

beforeEach(() => {
  received.length = 0;
  page.empty();
  keepToken(token, 3600);
  session.currentUser.set({ objectID: "person", isReset: false } as User & {
    previousCardnumber: number;
  });
});
afterEach(() => vi.useRealTimers());
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The error that a call throws; a call that answers fails the test. */
async function refusal(calling: Promise<unknown>): Promise<InstanceType<typeof ApiProblem>> {
  const thrown: unknown = await calling.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ApiProblem)) throw new Error(`not refused: ${String(thrown)}`);
  return thrown;
}

describe("what is sent", () => {
  it("puts path parameters in the path, the rest in the query of a GET, and the bearer", async () => {
    answer = json(200, { items: [], next: null });
    await call(api.wallet.movements, { objectID: wallet, limit: 5, q: "été & co" });
    expect(received[0]).toMatchObject({
      method: "GET",
      url: `/api/wallets/${wallet}/movements?limit=5&q=%C3%A9t%C3%A9+%26+co`,
      body: "",
    });
    expect(received[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it("sends JSON otherwise, with the idempotency key, and no path parameter in the body", async () => {
    answer = json(201, { id: wallet, state: "initiated", amountCents: 2000, paymentUrl: "/p" });
    const topUp = { objectID: wallet, amountCents: 2000 };
    const started = await call(api.payments.startTopUp, topUp, { key: "k-1" });
    expect(started.state).toBe("initiated");
    expect(received[0]).toMatchObject({
      method: "POST",
      url: `/api/wallets/${wallet}/top-ups`,
      body: JSON.stringify({ amountCents: 2000 }),
    });
    expect(received[0]?.headers).toMatchObject({
      "idempotency-key": "k-1",
      "content-type": "application/json",
    });
  });

  it("calls a public row without a bearer when there is no token", async () => {
    page.empty();
    answer = json(200, {});
    await call(api.portal.settings, {});
    expect(received[0]?.headers.authorization).toBeUndefined();
  });

  it('says "Token not found" without a token cookie, sends nothing and ends the session', async () => {
    page.empty();
    const thrown = await refusal(call(api.cards.list, {}));
    expect([thrown.code, thrown.message]).toEqual(["token_not_found", "Token not found"]);
    expect(received).toEqual([]);
    expect(session.currentUser.get()).toBeNull();
  });
});

describe("what was asked ahead", () => {
  const cardnumber = 1_000_000_016;

  it("answers the first call of the same row and input, which sends nothing more, and no other", async () => {
    answer = (response, request) => json(200, { requested: request.url })(response, request);
    prefetch(api.wallet.list, { cardnumber });
    prefetch(api.wallet.info, { cardnumber });
    const expected = { requested: `/api/wallets?cardnumber=${cardnumber}` };
    expect(await call(api.wallet.list, { cardnumber })).toEqual(expected);
    await call(api.wallet.info, { cardnumber });
    expect(received.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual([
      `GET /api/wallets?cardnumber=${cardnumber}`,
      "POST /api/card/info",
    ]);
    await call(api.wallet.list, { cardnumber: cardnumber + 8 });
    await call(api.wallet.list, { cardnumber });
    expect(received).toHaveLength(4);
  });

  it("is not shown once something was sent to change what it says", async () => {
    answer = (response, request) =>
      json(request.method === "GET" ? 200 : 201, { items: [] })(response, request);
    prefetch(api.wallet.list, { cardnumber });
    await call(api.wallet.transfer, {
      fromWallet: "00000000-0000-4000-8000-000000000000",
      toCardnumber: cardnumber,
      amountCents: 100,
    });
    await call(api.wallet.list, { cardnumber });
    expect(received.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
  });

  it("is told when it was refused, and is not shown once it is old", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    answer = problem(409, "not_found", "Cette carte n’a pas de cagnotte.");
    prefetch(api.wallet.list, { cardnumber });
    expect(await refusal(call(api.wallet.list, { cardnumber }))).toMatchObject({ status: 409 });
    expect(received).toHaveLength(1);
    const sending = vi.spyOn(globalThis, "fetch");
    prefetch(api.cards.list, {});
    await sending.mock.results[0]?.value;
    sending.mockRestore();
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(5000);
    answer = json(200, { items: [] });
    expect(await call(api.cards.list, {})).toEqual({ items: [] });
    expect(received).toHaveLength(3);
  });
});

describe("429", () => {
  // Long: a busy machine is slow to answer, and no test measures time.
  const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 60_000 });

  // proves: slow-guessing
  it("is tried again three times, each wait one second longer, and then told", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    answer = problem(429, "too_many_requests", "Trop de demandes.");
    const thrown = refusal(call(api.cards.list, {}));
    for (const attempt of [1, 2, 3]) {
      await until(() => received.length === attempt && vi.getTimerCount() > 0);
      await vi.advanceTimersByTimeAsync(spec.retryDelayMs * attempt - 1);
      expect(received).toHaveLength(attempt);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(await thrown).toMatchObject({ status: 429, message: "Trop de demandes." });
    expect(received).toHaveLength(4);
  });

  it("answers as soon as a retry passes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    answer = (response, request) =>
      (received.length === 1 ? problem(429, "too_many_requests", "x") : json(200, { items: [] }))(
        response,
        request,
      );
    const answered = call(api.cards.list, {});
    await until(() => received.length === 1 && vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(spec.retryDelayMs);
    expect(await answered).toEqual({ items: [] });
    expect(received).toHaveLength(2);
  });

  // proves: slow-guessing
  it("is tried again three times whatever Retry-After says, and the longer wait is told", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    answer = json(
      429,
      { message: "Réessayez dans 30 s.", code: "login_locked" },
      { "retry-after": "30" },
    );
    const thrown = refusal(call(api.cards.list, {}));
    for (const attempt of [1, 2, 3]) {
      await until(() => received.length === attempt && vi.getTimerCount() > 0);
      await vi.advanceTimersByTimeAsync(spec.retryDelayMs * attempt);
    }
    expect(await thrown).toMatchObject({
      message: "Réessayez dans 30 s.",
      details: { seconds: 30 },
    });
    expect(received).toHaveLength(4);
  });

  it("nothing else is tried again", async () => {
    answer = problem(503, "unavailable", "Indisponible.");
    expect((await refusal(call(api.cards.list, {}))).definite).toBe(false);
    expect(received).toHaveLength(1);
  });
});

describe("what an answer becomes", () => {
  it("the server's sentence, code, details and request", async () => {
    answer = problem(409, "insufficient_funds", "Le solde ne suffit pas.", { missingCents: 3 });
    expect(await refusal(call(api.cards.list, {}))).toMatchObject({
      code: "insufficient_funds",
      message: "Le solde ne suffit pas.",
      status: 409,
      details: { missingCents: 3 },
      requestId: "r-1",
      definite: true,
    });
  });

  it("the specification's sentence when a proxy answers in HTML", async () => {
    answer = (response) => response.writeHead(502).end("<h1>Bad gateway</h1>");
    expect(await refusal(call(api.cards.list, {}))).toMatchObject({
      status: 502,
      message: "Une erreur s'est produite pendant l'envoi de la requête",
    });
  });

  it("the specification's sentence when nothing answers", async () => {
    answer = (response) => response.destroy();
    expect(await refusal(call(api.cards.list, {}))).toMatchObject({
      code: "no_answer",
      status: 0,
      message: "Une erreur s'est produite pendant l'envoi de la requête",
    });
  });

  it("the specification's sentence once the row's time-out is over", async () => {
    answer = () => {};
    const slow = { ...api.cards.list, timeoutMs: 50 };
    expect((await refusal(call(slow, {}))).code).toBe("no_answer");
  });

  it("an AbortError for the caller who aborts, and no problem", async () => {
    answer = () => {};
    const leaving = new AbortController();
    const calling = call(api.cards.list, {}, { signal: leaving.signal });
    await vi.waitUntil(() => received.length === 1, { timeout: 60_000 });
    leaving.abort();
    await expect(calling).rejects.toMatchObject({ name: "AbortError" });
  });

  it("a document with its name", async () => {
    answer = (response) =>
      response
        .writeHead(200, { "content-disposition": 'attachment; filename="releve.pdf"' })
        .end("%PDF");
    const { blob, filename } = await call(api.wallet.statement, { objectID: wallet });
    expect([filename, await blob.text()]).toEqual(["releve.pdf", "%PDF"]);
  });
});

describe("what a refusal changes", () => {
  it("session_ended ends the session once, however many calls learn it", async () => {
    const ends: string[] = [];
    const stop = session.onSessionEnd((why) => ends.push(why));
    answer = problem(401, "session_ended", "Votre session est terminée.");
    await Promise.allSettled([1, 2, 3].map(() => call(api.cards.list, {})));
    stop();
    expect(ends).toEqual(["ended"]);
    expect(document.cookie).toBe("");
    expect(session.currentUser.get()).toBeNull();
  });

  it("reset_required makes the stored user one who must reset", async () => {
    answer = problem(403, "reset_required", "Choisissez d'abord votre mot de passe.");
    await refusal(call(api.cards.list, {}));
    expect(session.currentUser.get()?.isReset).toBe(true);
  });

  it("a wrong password leaves the session of another tab alone", async () => {
    answer = problem(401, "wrong_credentials", "Erreur d'identifiant et/ou de mot de passe.");
    await refusal(call(api.identity.login, { login: 1000000016, password: "x" }));
    expect(session.currentUser.get()).not.toBeNull();
  });
});

describe("what an act changes", () => {
  const row = api.canteen.dropRequest;
  const read = vi.fn(async () => {});
  const drop = (of: typeof row = row) => call(of, { idgroup: 2 });
  /** After the turn in which it would be read. */
  const later = () => new Promise((resolve) => setTimeout(resolve, 20));

  beforeEach(() => {
    read.mockClear();
    onChanges(read, () => false);
  });

  it("is read again once it succeeded", async () => {
    answer = json(200, { message: "Votre choix est vidé." });
    await drop();
    await later();
    expect(read.mock.calls).toEqual([[new Set(row.changes)]]);
  });

  it.each([404, 409, 410, 422])("and once it was refused with %i", async (status) => {
    answer = problem(status, "not_found", "x");
    await refusal(drop());
    await later();
    expect(read.mock.calls).toEqual([[new Set(row.changes)]]);
  });

  it.each([400, 403, 503])("but not after a %i", async (status) => {
    answer = problem(status, "not_found", "x");
    await refusal(drop());
    await later();
    expect(read).not.toHaveBeenCalled();
  });

  it("nor after a 429", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    answer = problem(429, "too_many_requests", "x");
    let refused = false;
    const thrown = refusal(drop()).finally(() => (refused = true));
    const waited = async () => {
      await vi.advanceTimersByTimeAsync(spec.retryDelayMs);
      return refused;
    };
    await vi.waitUntil(waited, { timeout: 60_000 });
    await thrown;
    await vi.advanceTimersByTimeAsync(1000);
    expect(read).not.toHaveBeenCalled();
  });

  it("nor where the screen shows it already", async () => {
    answer = json(200, { message: "Votre choix est vidé." });
    await call(row, { idgroup: 2 }, { isShown: true });
    await later();
    expect(read).not.toHaveBeenCalled();
  });

  it("nor after a row that changes nothing", async () => {
    answer = json(200, { items: [] });
    await call(api.cards.list, {});
    const { changes: _, ...silent } = row;
    await drop(silent as typeof row);
    await later();
    expect(read).not.toHaveBeenCalled();
  });

  it("is read again together after an act that is under way", async () => {
    let acting = true;
    onChanges(read, () => acting);
    answer = json(200, { message: "Votre choix est vidé." });
    await drop();
    await drop();
    await later();
    expect(read).not.toHaveBeenCalled();
    acting = false;
    await vi.waitUntil(() => read.mock.calls.length > 0, { timeout: 60_000 });
    expect(read.mock.calls).toEqual([[new Set(row.changes)]]);
  });
});

describe("Loading", () => {
  it("is true while any call runs, and never for a quiet one", async () => {
    const seen: boolean[] = [];
    const stop = loading.subscribe(() => seen.push(loading.get()));
    answer = json(200, { items: [] });
    await call(api.cards.list, {}, { quiet: true });
    expect(seen).toEqual([]);
    await Promise.all([call(api.cards.list, {}), call(api.cards.list, {})]);
    stop();
    expect(seen).toEqual([true, true, true, false]);
  });
});

describe("the echo of an act", () => {
  afterEach(() => void vi.useRealTimers());

  it("lasts from the call to shortly after its answer; a read and a choice have none", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 60_000);
    answer = json(200, { items: [] });
    await call(api.cards.list, {});
    expect(hasJustActed()).toBe(false);
    const choice = { idgroup: 2, meals: [], chosen: true };
    await call(api.canteen.choose, choice, { draft: true }).catch(() => null);
    expect(hasJustActed()).toBe(false);
    answer = json(200, { message: "Votre choix est vidé." });
    const act = call(api.canteen.dropRequest, { idgroup: 2 });
    expect(hasJustActed()).toBe(true);
    await act;
    expect(hasJustActed()).toBe(true);
    vi.setSystemTime(Date.now() + 1501);
    expect(hasJustActed()).toBe(false);
    answer = problem(409, "meal_closed", "Pas de service ce jour-là");
    await refusal(call(api.canteen.dropRequest, { idgroup: 2 }));
    expect(hasJustActed()).toBe(false);
  });
});

describe("login", () => {
  const loginAnswer = (objectID: string, status = 200) =>
    json(status, {
      message: "Connexion réussie",
      data: { objectID, cardnumber: 1000000016, isReset: false },
      token: {
        jeton: tokenSaying({ exp: Date.now() / 1000 + 3600, sub: objectID }),
        expires_in: 3600,
      },
    });

  it("sends the number as an integer and keeps cookies and user", async () => {
    page.empty();
    session.currentUser.set(null);
    answer = loginAnswer("p-1");
    const user = await login("1000 000 016", "demo");
    expect(user?.objectID).toBe("p-1");
    expect(received[0]?.body).toBe('{"login":1000000016,"password":"demo"}');
    expect(document.cookie).toMatch(/^jwt_token=[^;]+; jwt_expires=\d{4}-/);
    expect(session.currentUser.get()).toMatchObject({ objectID: "p-1", previousCardnumber: 0 });
  });

  it("sends nothing and returns nothing for an undefined number", async () => {
    expect(await login(undefined, "demo")).toBeUndefined();
    expect(received).toEqual([]);
  });

  it("gives the server's message, or the specification's when there is none or no answer", async () => {
    answer = problem(403, "login_locked", "Trop d'essais.");
    expect((await refusal(login(1, "x"))).message).toBe("Trop d'essais.");
    const message = "Erreur d'identifiant et/ou de mot de passe.";
    answer = json(500, {});
    expect((await refusal(login(1, "x"))).message).toBe(message);
    answer = (response) => response.destroy();
    expect((await refusal(login(1, "x"))).message).toBe(message);
    expect((await refusal(login("pas un numéro", "x"))).message).toBe(message);
  });

  it("opens no session with an answer other than 200", async () => {
    page.empty();
    session.currentUser.set(null);
    for (const status of [201, 202, 206]) {
      answer = loginAnswer("p-1", status);
      expect((await refusal(login(1_000_000_016, "demo"))).status).toBe(status);
      expect(document.cookie).toBe("");
      expect(session.currentUser.get()).toBeNull();
    }
  });
});
