// The step-up and the keys of intents: what is repeated, what is kept, what is given up.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { installPage } from "#tests/page-globals.ts";

const page = installPage();
const { ApiProblem } = await import("./api.ts");
const { intentKey, once } = await import("./intent.ts");
const { eventsOf } = await import("./live.ts");
const { CodeAbandoned, codeRequest } = await import("./code-request.ts");
const { withCode } = await import("./step-up.ts");

const refused = (code: string, details = {}) =>
  new ApiProblem(code as "code_wrong", `phrase de ${code}`, { status: 422, details });
const codeRequired = (challenge: string) =>
  new ApiProblem("code_required", "un code", {
    status: 403,
    details: { challenge, sentTo: "c•••@exemple.fr" },
  });

beforeEach(() => page.empty());

describe("withCode", () => {
  it("asks, shows a wrong code, takes a new one, and answers once the code is right", async () => {
    const seen: unknown[] = [];
    const outcomes = [codeRequired("c1"), refused("code_wrong"), codeRequired("c2"), "fait"];
    const result = withCode((proof) => {
      seen.push(proof);
      const outcome = outcomes.shift();
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    });
    await expect.poll(() => codeRequest.get()?.sentTo).toBe("c•••@exemple.fr");
    await codeRequest.get()?.submit({ code: "111111" });
    expect(codeRequest.get()).toMatchObject({
      error: { text: "phrase de code_wrong", place: "code" },
      busy: null,
    });
    await codeRequest.get()?.sendCode();
    expect(codeRequest.get()).toMatchObject({ error: null, sent: 2 });
    await codeRequest.get()?.submit({ code: "222222" });
    expect(await result).toBe("fait");
    expect(codeRequest.get()).toBeNull();
    expect(seen).toEqual([
      {},
      { challenge: "c1", code: "111111" },
      {},
      { challenge: "c2", code: "222222" },
    ]);
  });

  it("asks a browser with passkeys for one first, and for a code when the person wants one", async () => {
    vi.stubGlobal("isSecureContext", true);
    vi.stubGlobal("PublicKeyCredential", vi.fn());
    vi.stubGlobal("location", { hostname: "carte.exemple.fr" });
    const held = (challenge: string) =>
      new ApiProblem("code_required", "une clé", {
        status: 403,
        details: { challenge, passkeyChallenge: "x", sentTo: "", codeTo: "c•••@exemple.fr" },
      });
    const seen: unknown[] = [];
    const outcomes = [
      held("c1"),
      refused("code_expired"),
      held("c2"),
      refused("code_sends_exhausted"),
      codeRequired("c3"),
      "fait",
    ];
    const result = withCode((proof) => {
      seen.push(proof);
      const outcome = outcomes.shift();
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    });
    await expect.poll(() => codeRequest.get()).toMatchObject({ passkey: "all", sent: 0 });
    // Nobody asked for a code that could be old: its challenge is asked for anew, and that is said.
    await codeRequest.get()?.submit({});
    const waited = { text: expect.stringContaining("trop longtemps"), place: "form" };
    expect(codeRequest.get()).toMatchObject({ error: waited, busy: null, sent: 0 });
    await codeRequest.get()?.sendCode();
    expect(codeRequest.get()).toMatchObject({ sentTo: "", error: { place: "code" } });
    await codeRequest.get()?.sendCode();
    expect(codeRequest.get()).toMatchObject({ sentTo: "c•••@exemple.fr", sent: 1, error: null });
    await codeRequest.get()?.submit({ code: "222222" });
    expect(await result).toBe("fait");
    expect(seen).toEqual([
      { preferPasskey: true },
      { challenge: "c1" },
      { preferPasskey: true },
      {},
      {},
      { challenge: "c3", code: "222222" },
    ]);
    vi.unstubAllGlobals();
  });

  it("gives up when the dialog is closed", async () => {
    const result = withCode(() => Promise.reject(codeRequired("c1")));
    await expect.poll(() => codeRequest.get()).not.toBeNull();
    codeRequest.get()?.cancel();
    await expect(result).rejects.toBeInstanceOf(CodeAbandoned);
    expect(codeRequest.get()).toBeNull();
  });

  it("hands any other refusal to the screen", async () => {
    const outcomes = [codeRequired("c1"), refused("insufficient_funds")];
    const result = withCode(() => Promise.reject(outcomes.shift() as Error));
    const rejection = expect(result).rejects.toMatchObject({ code: "insufficient_funds" });
    await expect.poll(() => codeRequest.get()).not.toBeNull();
    await codeRequest.get()?.submit({ code: "111111" });
    await rejection;
    expect(codeRequest.get()).toBeNull();
  });
});

describe("once", () => {
  const payload = { amountCents: 500 };

  it("keeps its key without an answer and while a code is asked, and mints another after", async () => {
    const keys: string[] = [];
    const attempt = (outcome: unknown) =>
      once("transfer", payload, (key) => {
        keys.push(key);
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
      }).catch(() => null);
    await attempt(new ApiProblem("no_answer", "rien"));
    await attempt(codeRequired("c1"));
    await attempt("fait");
    await attempt(refused("insufficient_funds"));
    await attempt("fait");
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys).size).toBe(3);
  });

  it("mints another key for another payload", async () => {
    const first = await intentKey("top-up", payload);
    expect(await intentKey("top-up", payload)).toBe(first);
    expect(await intentKey("top-up", { amountCents: 501 })).not.toBe(first);
  });
});

describe("eventsOf", () => {
  it("reads events cut anywhere, with ids, and skips comments", async () => {
    const text =
      'retry: 3000\n: bonjour\n\nid: 7\nevent: notice\ndata: {"title":"été"}\n\n' +
      'event: changed\r\ndata: {"what":"wallets"}\r\n\r\n: battement\n\nevent: half';
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    });
    const events = [];
    for await (const event of eventsOf(body)) events.push(event);
    expect(events).toEqual([
      { name: "notice", id: "7", data: { title: "été" } },
      { name: "changed", id: null, data: { what: "wallets" } },
    ]);
  });
});
