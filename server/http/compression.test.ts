// Which answers are compressed: read as bytes, since every client decompresses them silently.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const read = (url: string, accepted?: string) =>
  server.app.inject({
    url,
    headers: accepted === undefined ? {} : { "accept-encoding": accepted },
  });

test("a long answer is sent as its reader accepts it, and says what it depends on", async () => {
  const plain = await read("/api/openapi.json");
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.headers["vary"]).toBe("accept-encoding");
  const browser = await read("/api/openapi.json", "gzip, deflate, br, zstd");
  expect(browser.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
  expect(browser.headers["content-type"]).toBe(plain.headers["content-type"]);
  expect(Number(browser.headers["content-length"])).toBe(browser.rawPayload.length);
  expect(browser.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  expect(brotliDecompressSync(browser.rawPayload).toString()).toBe(plain.body);
  const older = await read("/api/openapi.json", "gzip");
  expect(older.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(older.rawPayload).toString()).toBe(plain.body);
});

test("whoever refuses an encoding gets none of it", async () => {
  for (const accepted of ["identity", "br;q=0, gzip;q=0", "", "zstd"]) {
    const answer = await read("/api/openapi.json", accepted);
    expect([accepted, answer.headers["content-encoding"]]).toEqual([accepted, undefined]);
    expect(JSON.parse(answer.body)).toHaveProperty("openapi");
  }
});

test("a short answer leaves as it is", async () => {
  const answer = await read("/api/portal", "br");
  expect(answer.headers).not.toHaveProperty("content-encoding");
  expect(JSON.parse(answer.body)).toHaveProperty("version");
});
