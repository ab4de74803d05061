// The client's address, as failed and successful logins record it: in the limiter and the audit trail.
import { isIP } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cast, castPassword } from "#tests/cast.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { parseTrustedProxies, type TrustedProxies, trustNobody } from "./client-address.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.pool.query("delete from limiter");
});
afterAll(() => server.close());

const trusting = (text: string): TrustedProxies => {
  const trusted = parseTrustedProxies(text);
  if (!trusted) throw new Error(text);
  return trusted;
};

/** Logs in through `proxies` with the header; returns the status and the recorded address. */
async function loginFrom(proxies: TrustedProxies, forwardedFor: string, from = "10.0.0.9") {
  server.deps.config.trustedProxies = proxies;
  const { statusCode } = await server.app.inject({
    method: "POST",
    url: "/api/login",
    remoteAddress: from,
    headers: { "x-forwarded-for": forwardedFor },
    payload: { login: cast.guardian.cardnumber, password: castPassword },
  });
  const { rows } = await server.deps.pool.query<{ address: string }>(
    "select address from audit where action = 'session.open' order by id desc limit 1",
  );
  return { status: statusCode, address: rows[0]?.address };
}

test("nobody trusted: the header is the client's own invention", async () => {
  expect(await loginFrom(trustNobody, "203.0.113.7")).toEqual({ status: 200, address: "10.0.0.9" });
});

// proves: client-address
test("one proxy: the entry that it wrote counts, what the client wrote before it does not", async () => {
  const { address } = await loginFrom(trusting("1"), "1.1.1.1, 203.0.113.7");
  expect(address).toBe("203.0.113.7");
});

test("two proxies: the second entry from the right; a shorter list gives its first", async () => {
  const two = trusting("2");
  expect((await loginFrom(two, "1.1.1.1, 203.0.113.7, 10.0.0.8")).address).toBe("203.0.113.7");
  expect((await loginFrom(two, "203.0.113.7")).address).toBe("203.0.113.7");
});

test("a list of ranges: what comes from elsewhere is not believed, IPv6 and ports are read", async () => {
  const ranges = trusting("10.0.0.0/8, 2001:db8:1::/48");
  const chain = "1.1.1.1, 203.0.113.7:4444, [2001:db8:1::5]:80";
  expect((await loginFrom(ranges, chain)).address).toBe("203.0.113.7");
  expect((await loginFrom(ranges, "::ffff:203.0.113.9")).address).toBe("203.0.113.9");
  expect((await loginFrom(ranges, "203.0.113.7", "192.0.2.1")).address).toBe("192.0.2.1");
});

// proves: client-address
test.each([
  ["markup", "<script>alert(1)</script>"],
  ["5,000 characters", "9".repeat(5000)],
  ["5,000 entries that end with no address", `${"1.1.1.1,".repeat(5000)}x`],
  ["a zone that holds markup", "fe80::1%<b>"],
  ["nothing between commas", ",,,"],
])(
  "%s is no address: the proxy's own is kept, and the login passes",
  async (_what, forwardedFor) => {
    const { status, address } = await loginFrom(trusting("1"), forwardedFor);
    expect(status).toBe(200);
    expect(isIP(address ?? "")).toBe(4);
    expect(address).toBe("10.0.0.9");
  },
);

// proves: client-address
test("a client that changes its invented address each time still fills one bucket", async () => {
  server.deps.config.trustedProxies = trusting("1");
  for (let n = 0; n < 3; n++) {
    await server.app.inject({
      method: "POST",
      url: "/api/login",
      remoteAddress: "10.0.0.9",
      headers: { "x-forwarded-for": `198.51.100.${n}, 203.0.113.7` },
      payload: { login: 1999999990 + n, password: "faux mot de passe" },
    });
  }
  const { rows } = await server.deps.pool.query(
    "select key, failures::int from limiter where key like 'login:address:%'",
  );
  expect(rows).toEqual([{ key: "login:address:203.0.113.7", failures: 3 }]);
});

test.each(["11", "tous", "10.0.0.0/33", "0.0.0.0/0", "10.0.0.1,", "localhost", "-1"])(
  "TRUST_PROXY=%s is neither a number of proxies nor a list of addresses",
  (text) => {
    expect(parseTrustedProxies(text)).toBeNull();
  },
);
