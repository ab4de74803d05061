import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServer } from "#tests/test-server.ts";

let web: string;
beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), "web-"));
  await mkdir(join(web, "test"));
  await writeFile(join(web, "index.html"), "the shell");
  await writeFile(join(web, "test", "ui.html"), "the gallery");
  const build = {
    csp: { "index.html": "default-src 'self'" },
    pages: { "/test/ui": "test/ui.html" },
  };
  await writeFile(join(web, "pages.json"), JSON.stringify(build));
});
afterAll(() => rm(web, { recursive: true }));

test("GET /test/ui shows the components in the demo, and is no page elsewhere, by either name", async () => {
  for (const demo of [true, false]) {
    const server = await openTestServer({ demo }, web);
    for (const path of ["/test/ui", "/test/ui.html"]) {
      const answer = await server.anonymous.get(path);
      expect([path, demo, answer.text]).toEqual([path, demo, demo ? "the gallery" : "the shell"]);
    }
    await server.close();
  }
});

test("a compressed twin is what a browser may be sent for its file, and no file of its own", async () => {
  await writeFile(join(web, "app.js"), "the code");
  await writeFile(join(web, "app.js.br"), "its twin");
  const server = await openTestServer({}, web);
  const twin = await server.anonymous.get("/app.js", { "accept-encoding": "br" });
  expect([twin.text, twin.headers["content-encoding"]]).toEqual(["its twin", "br"]);
  expect((await server.anonymous.get("/app.js.br")).text).toBe("the shell");
  await server.close();
});

test("any other path is the shell with its own policy; what the build lists nowhere is never sent", async () => {
  const server = await openTestServer({}, web);
  const page = await server.anonymous.get("/dashboard");
  expect([page.status, page.text]).toEqual([200, "the shell"]);
  expect(page.headers["content-security-policy"]).toBe("default-src 'self'");
  expect((await server.anonymous.get("/pages.json")).text).toBe("the shell");
  expect((await server.anonymous.get("/assets/old-chunk.js")).status).toBe(404);
  await server.close();
});

test("slashes and blanks too many in a page's address lead to the plain one, on this site", async () => {
  const server = await openTestServer({}, web);
  const plain = {
    "/login/": "/login",
    "/login//?fin=session": "/login?fin=session",
    "/family//1000000024/": "/family/1000000024",
    "/services/cagnottes%20": "/services/cagnottes",
    "//elsewhere.example/": "/elsewhere.example",
    "/%5Celsewhere.example/": "/%5Celsewhere.example",
    "//": "/",
    "/faq/%E0%A4%A?page=2": "/faq/%25E0%25A4%25A?page=2",
    "/services/%/": "/services/%25",
  };
  for (const [address, location] of Object.entries(plain)) {
    const { status, headers } = await server.anonymous.get(address);
    expect([address, status, headers["location"]]).toEqual([address, 308, location]);
  }
  expect((await server.anonymous.get("/api/health/")).status).toBe(404);
  for (const address of ["/api/%", "/demo/messages/x%ed%a0%80", "/paiement/sandbox/%"]) {
    expect((await server.anonymous.get(address)).body.code, address).toBe("not_found");
  }
  expect((await server.anonymous.get("/?page=//")).status).toBe(200);
  await server.close();
});

test("with a background for the plans the shell may show its images, and browsers notice the change", async () => {
  const policy = "default-src 'none'; img-src 'self' data: blob:; font-src 'self'";
  const build = {
    csp: { "index.html": policy, "login.html": policy },
    pages: { "/login": "login.html" },
  };
  await writeFile(join(web, "login.html"), "the login");
  await writeFile(join(web, "sw.js"), "the worker");
  await writeFile(join(web, "pages.json"), JSON.stringify(build));
  const tilesUrl = "https://tuiles.exemple.fr/{z}/{x}/{y}.png?cle=abc";
  const map = { tilesUrl, attribution: "IGN", attributionUrl: null, maxZoom: 18 };
  const read = async (settings: Parameters<typeof openTestServer>[0]) => {
    const server = await openTestServer(settings, web);
    const answers = [];
    for (const path of ["/services/partner", "/login", "/sw.js"]) {
      const { text, headers } = await server.anonymous.get(path);
      answers.push({ text, policy: headers["content-security-policy"] });
    }
    const { body, headers } = await server.anonymous.get("/api/portal");
    await server.close();
    return { answers, map: body.map, referrer: headers["referrer-policy"] };
  };
  const worker = { text: "the worker", policy: "default-src 'none'; connect-src 'self'" };
  expect(await read({})).toEqual({
    answers: [{ text: "the shell", policy }, { text: "the login", policy }, worker],
    map: null,
    referrer: "same-origin",
  });
  expect(await read({ map })).toEqual({
    answers: [
      {
        text: "the shell",
        policy:
          "default-src 'none'; img-src 'self' data: blob: https://tuiles.exemple.fr; font-src 'self'",
      },
      { text: "the login", policy },
      { ...worker, text: "the worker\n// img-src https://tuiles.exemple.fr\n" },
    ],
    map,
    referrer: "same-origin",
  });
});
