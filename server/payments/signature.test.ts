// The signature of the sandbox's webhooks: valid ones pass, altered ones do not.
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { checkSignature, sign, signatureHeader } from "./signature.ts";

const secret = Buffer.alloc(32, 7);
const body = Buffer.from('{"id":"evt_1","amount":1250}');
const at = new Date("2026-11-21T08:00:00.900Z");
const seconds = 1_795_248_000;

const verdict = (change: Partial<Parameters<typeof checkSignature>[1]>, key = secret) => {
  try {
    return checkSignature(key, { body, header: sign(secret, body, at), now: at, ...change });
  } catch (problem) {
    return (problem as { code: string }).code;
  }
};
const later = (ms: number) => ({ now: new Date(seconds * 1000 + ms) });

test("the header says whole seconds and HMAC-SHA-256 of « seconds.body »", () => {
  const mac = createHmac("sha256", secret).update(`${seconds}.${body.toString()}`).digest("hex");
  expect(sign(secret, body, at)).toBe(`t=${seconds},v1=${mac}`);
  expect(sign(secret, body.toString(), at)).toBe(`t=${seconds},v1=${mac}`);
  expect(signatureHeader).toBe("x-sandbox-signature");
});

test("what is signed comes back as the very bytes", () => {
  expect(verdict({})).toBe(body);
});

// proves: payment-news
test("five minutes early or late pass, a millisecond more does not", () => {
  expect(verdict(later(300_000))).toBe(body);
  expect(verdict(later(-300_000))).toBe(body);
  expect(verdict(later(300_001))).toBe("webhook_signature");
  expect(verdict(later(-300_001))).toBe("webhook_signature");
});

test("another secret, another body, another moment, no body", () => {
  expect(verdict({}, Buffer.alloc(32, 8))).toBe("webhook_signature");
  expect(verdict({ body: Buffer.from('{"id":"evt_1","amount":9250}') })).toBe("webhook_signature");
  expect(verdict({ body: Buffer.alloc(0) })).toBe("webhook_signature");
  expect(verdict({ body: null })).toBe("webhook_signature");
  const header = sign(secret, body, at).replace(String(seconds), String(seconds + 1));
  expect(verdict({ header })).toBe("webhook_signature");
});

test("a header of any other form is refused, whatever it holds", () => {
  const good = sign(secret, body, at);
  const forms = [
    undefined,
    [good],
    "",
    ` ${good}`,
    `${good} `,
    `x${good}`,
    `${good}0`,
    good.slice(0, -1),
    good.replace("v1=", "v2="),
    good.replace(`t=${seconds}`, "t="),
    good.replace(`t=${seconds}`, `t=-${seconds}`),
    good.replace("t=", "t=000"),
    good.replace(/[0-9a-f]$/, "g"),
  ];
  for (const header of forms) expect(verdict({ header })).toBe("webhook_signature");
});

// proves: payment-news
test("every single bit of the signature counts", () => {
  const [moment, mac] = sign(secret, body, at).split("v1=") as [string, string];
  const bytes = Buffer.from(mac, "hex");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const turned = Buffer.from(bytes);
    turned[bit >> 3] = (turned[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(verdict({ header: `${moment}v1=${turned.toString("hex")}` })).toBe("webhook_signature");
  }
});
