import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, type House } from "#tests/house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse({ publicUrl: "https://carte.exemple.fr", demo: false });
});
afterAll(() => house.close());

test("every answer, good or refused, carries the security headers", async () => {
  for (const path of ["/api/portal", "/api/wallets?cardnumber=1000000016", "/api/nowhere"]) {
    expect((await house.anonymous.get(path)).headers, path).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
    });
  }
});

test("a header that expects what nobody knows is refused in the words of the catalogue", async () => {
  const heard = await openHouse();
  const address = await heard.app.listen({ port: 0, host: "127.0.0.1" });
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${address}/api/wallets?cardnumber=1000000016`, { headers: { expect: "200-maybe" } })
      .once("response", resolve)
      .once("error", reject),
  );
  expect(answer.statusCode).toBe(400);
  expect(JSON.parse(await text(answer))).toMatchObject({ code: "malformed_body" });
  await heard.close();
});

test("without HTTPS no browser is told to insist on it", async () => {
  const plain = await openHouse();
  const { headers } = await plain.anonymous.get("/api/portal");
  await plain.close();
  expect(headers["strict-transport-security"]).toBeUndefined();
});
