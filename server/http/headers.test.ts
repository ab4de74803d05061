import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ publicUrl: "https://carte.exemple.fr", demo: false });
});
afterAll(() => server.close());

// proves: content-security-policy
test("every answer, good or refused, carries the security headers", async () => {
  for (const path of ["/api/portal", "/api/wallets?cardnumber=1000000016", "/api/nowhere"]) {
    expect((await server.anonymous.get(path)).headers, path).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringMatching(
        /camera=\(self\).*geolocation=\(self\).*usb=\(\)/,
      ),
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
    });
  }
});

test("a HEAD is answered as the GET of its address, without its body", async () => {
  const heard = await openTestServer();
  const address = await heard.app.listen({ port: 0, host: "127.0.0.1" });
  const paths = ["/api/portal", "/api/wallets?cardnumber=1000000016", "/api/nowhere", "/login"];
  for (const path of paths) {
    const response = await fetch(address + path);
    const head = await fetch(address + path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), await head.text()], path).toEqual([
      response.status,
      response.headers.get("content-type"),
      "",
    ]);
    expect((await response.text()).length, path).toBeGreaterThan(0);
    const length = ({ headers }: Response) => Number(headers.get("content-length"));
    expect(length(head), path).toBeGreaterThan(0);
    expect(length(head), path).toBe(length(response));
  }
  await heard.close();
});

test("a HEAD of the live stream ends with its headers", async () => {
  const heard = await openTestServer();
  const address = await heard.app.listen({ port: 0, host: "127.0.0.1" });
  const { token } = await heard.as("guardian");
  const head = await fetch(`${address}/api/notifications/live`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${token}` },
  });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "",
  ]);
  await heard.close();
});

test("a header that expects what nobody knows is refused in the words of the catalogue", async () => {
  const heard = await openTestServer();
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

// proves: dns-rebinding
test("on one's own machine another name is refused, whatever the path; a plain address is not", async () => {
  const own = await openTestServer();
  const read = async (url: string, host: string, name = own.app) =>
    (await name.inject({ url, headers: { host } })).statusCode;
  for (const path of ["/api/metrics", "/demo/messages", "/api/portal", "/dashboard"]) {
    expect(await read(path, "evil.example:3000"), path).toBe(421);
  }
  for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000", "192.168.1.20:3000"]) {
    expect(await read("/api/portal", host), host).toBe(200);
  }
  expect(await read("/api/portal", "evil.example", server.app)).toBe(200);
  expect(await read("/api/metrics", "localhost", server.app)).toBe(404);
  await own.close();
});

// proves: silent-connection
test("a kept-alive connection that falls silent is closed without a word; half a request gets 408", async () => {
  const own = await openTestServer();
  own.app.server.headersTimeout = 300;
  own.app.server.requestTimeout = 300;
  const address = await own.app.listen({ port: 0, host: "127.0.0.1" });
  const sendRaw = async (...parts: string[]): Promise<string> => {
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    for (const part of parts) socket.write(part);
    return await text(socket);
  };
  const head = "GET /api/portal HTTP/1.1\r\nhost: localhost\r\n";
  const [silent, half, none] = await Promise.all([
    sendRaw(`${head}\r\n`),
    sendRaw(head),
    sendRaw(),
  ]);
  expect(silent.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  expect(half).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_too_slow"/);
  expect(none).toBe("");
  await own.close();
});

test("without HTTPS no browser is told to insist on it", async () => {
  const plain = await openTestServer();
  const { headers } = await plain.anonymous.get("/api/portal");
  await plain.close();
  expect(headers["strict-transport-security"]).toBeUndefined();
});
