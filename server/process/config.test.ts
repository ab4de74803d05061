import { describe, expect, test } from "vitest";
import { loadConfig } from "./config.ts";

describe("what is not set", () => {
  test("the embedded database, its demo scheme and fictitious payments", () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      dataDir: ".data",
      databaseUrl: null,
      demo: true,
      payments: "sandbox",
      publicUrl: "http://localhost:3000",
    });
  });

  test("with a database of one's own: no demo scheme, and no payments until they are chosen", () => {
    const env = { DATABASE_URL: "postgres://me@db.example:5433/carte" };
    expect(loadConfig(env)).toMatchObject({ demo: false, payments: "none", supportPhone: null });
    expect(loadConfig({ ...env, PAYMENTS: "sandbox" }).payments).toBe("sandbox");
    expect(loadConfig({ DEMO: "0" }).payments).toBe("none");
  });

  // proves: demo-closed
  test("a public address, or one that others reach, is no demo unless it says so", () => {
    const publicUrl = { PUBLIC_URL: "https://carte.exemple.fr" };
    expect(loadConfig(publicUrl)).toMatchObject({ demo: false, payments: "none" });
    expect(loadConfig({ HOST: "0.0.0.0" })).toMatchObject({ demo: false, payments: "none" });
    expect(loadConfig({ PUBLIC_URL: "http://localhost.exemple.fr" }).demo).toBe(false);
    expect(loadConfig({ ...publicUrl, DEMO: "1" }).demo).toBe(true);
    expect(loadConfig({ HOST: "localhost", PUBLIC_URL: "http://[::1]:3000" }).demo).toBe(true);
  });

  test("an empty variable counts as absent, a final slash of the address does not count", () => {
    expect(loadConfig({ PORT: " ", DEMO: "" }).port).toBe(3000);
    expect(loadConfig({ PUBLIC_URL: "https://carte.exemple.fr/" }).publicUrl).toBe(
      "https://carte.exemple.fr",
    );
  });
});

test("the address to write to is read as one that is typed", () => {
  const pasted = { SUPPORT_EMAIL: "\u2068aide@exemple.fr\u2069" };
  expect(loadConfig(pasted).supportEmail).toBe("aide@exemple.fr");
});

describe("what cannot be understood is named", () => {
  test.each([
    ["PORT", "0"],
    ["PORT", "3000a"],
    ["PORT", "70000"],
    ["DEMO", "peut-être"],
    ["TRUST_PROXY", "beaucoup"],
    ["PAYMENTS", "paypal"],
    ["STRIPE_SECRET_KEY", "pk_test_12345678"],
    ["STRIPE_WEBHOOK_SECRET", "whsec"],
    ["METRICS_TOKEN", "court"],
    ["DATABASE_READ_URL", "mysql://db/carte"],
    ["DATABASE_DIRECT_URL", "mysql://db/carte"],
    ["PUBLIC_URL", "ftp://carte"],
    ["LOG_LEVEL", "loud"],
    ["TOP_UP_MIN_CENTS", "-5"],
    ["POOL_SIZE", "1"],
    ["MAP_TILES_URL", "https://tuiles.exemple.fr/{z}/{x}.png"],
    ["MAP_TILES_URL", "https://tuiles.exemple.fr/{z}/{x}/{y}/{y}.png"],
    ["MAP_TILES_URL", "https://{s}.exemple.fr/{z}/{x}/{y}.png"],
    ["MAP_TILES_URL", "https://{z}.exemple.fr/{x}/{y}.png"],
    ["MAP_TILES_URL", "https://moi:secret@tuiles.exemple.fr/{z}/{x}/{y}.png"],
    ["MAP_TILES_URL", "https://tuiles.exemple.fr;https:/{z}/{x}/{y}.png"],
    ["MAP_TILES_URL", "ftp://tuiles.exemple.fr/{z}/{x}/{y}.png"],
    ["MAP_TILES_URL", "/tuiles/{z}/{x}/{y}.png"],
    ["MAP_ATTRIBUTION_URL", "http://www.openstreetmap.org/copyright"],
    ["MAP_MAX_ZOOM", "3"],
    ["MAP_MAX_ZOOM", "tout"],
    ["SUPPORT_EMAIL", `${"a".repeat(250)}@exemple.fr`],
  ])("%s=%s", (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(
      expect.objectContaining({
        name: "StartProblem",
        exitCode: 78,
        message: expect.stringMatching(new RegExp(`^Le réglage ${name} .*n'est pas valable : `)),
      }),
    );
  });

  // proves: log-secrets
  test("an address that may hold a password is not repeated", () => {
    const read = () => loadConfig({ DATABASE_URL: "mysql://root:tres-secret@db/carte" });
    expect(read).toThrow("Le réglage DATABASE_URL n'est pas valable");
    expect(read).not.toThrow("tres-secret");
  });

  test("Stripe: a missing key is named, a key is never repeated, real money needs a real portal", () => {
    const keys = {
      STRIPE_SECRET_KEY: "sk_test_abcdefgh",
      STRIPE_WEBHOOK_SECRET: "whsec_abcdefgh",
    };
    const stripe = { DEMO: "0", PAYMENTS: "stripe", ...keys };
    expect(loadConfig(stripe)).toMatchObject({
      payments: "stripe",
      stripe: { secretKey: "sk_test_abcdefgh", webhookSecret: "whsec_abcdefgh", apiUrl: null },
    });
    expect(() => loadConfig({ PAYMENTS: "stripe" })).toThrow(
      "demandent aussi STRIPE_SECRET_KEY et STRIPE_WEBHOOK_SECRET",
    );
    expect(() => loadConfig({ ...stripe, STRIPE_WEBHOOK_SECRET: "" })).toThrow(
      "demandent aussi STRIPE_WEBHOOK_SECRET",
    );
    const mistyped = () => loadConfig({ ...stripe, STRIPE_SECRET_KEY: "très-secret" });
    expect(mistyped).toThrow("Le réglage STRIPE_SECRET_KEY n'est pas valable");
    expect(mistyped).not.toThrow("très-secret");
    const live = { ...stripe, STRIPE_SECRET_KEY: "sk_live_abcdefgh" };
    expect(() => loadConfig({ ...live, DEMO: "1" })).toThrow("débite de vraies cartes");
    expect(() => loadConfig(live)).toThrow("PUBLIC_URL doit être l'adresse https://");
    expect(loadConfig({ ...live, PUBLIC_URL: "https://carte.exemple.fr" }).payments).toBe("stripe");
    // Closed for new top-ups, late events are still accepted.
    expect(loadConfig({ ...keys, PAYMENTS: "none" }).stripe).not.toBeNull();
  });

  test("a replica without its database", () => {
    const url = "postgres://me@replica.example/carte";
    expect(() => loadConfig({ DATABASE_READ_URL: url })).toThrow("il demande aussi DATABASE_URL");
    expect(() => loadConfig({ DATABASE_OWNER_URL: url })).toThrow("il demande aussi DATABASE_URL");
    expect(loadConfig({ DATABASE_READ_URL: url, DATABASE_URL: url }).databaseReadUrl).toBe(url);
  });

  test("a way around a pooler without the pooler", () => {
    const url = "postgres://me@db.example/carte";
    expect(() => loadConfig({ DATABASE_DIRECT_URL: url })).toThrow("il demande aussi celui-ci");
    const pooled = loadConfig({ DATABASE_URL: url, DATABASE_DIRECT_URL: url });
    expect(pooled.databaseDirectUrl).toBe(url);
    expect(loadConfig({ DATABASE_URL: url }).databaseDirectUrl).toBeNull();
  });

  test("two limits that contradict each other", () => {
    expect(() => loadConfig({ TOP_UP_MIN_CENTS: "6000", TOP_UP_MAX_CENTS: "5000" })).toThrow(
      "se contredisent",
    );
  });
});

describe("the background of the plans", () => {
  const tiles = "https://tuiles.exemple.fr/{z}/{x}/{y}.png?cle=abc";
  const authors = "© les contributeurs d’OpenStreetMap";

  test("none unless it is set; with its authors, as the town writes it", () => {
    expect(loadConfig({}).map).toBeNull();
    expect(loadConfig({ MAP_TILES_URL: tiles, MAP_ATTRIBUTION: authors }).map).toEqual({
      tilesUrl: tiles,
      attribution: authors,
      attributionUrl: null,
      maxZoom: 19,
    });
    const whole = {
      MAP_TILES_URL:
        "https://data.exemple.fr/wmts?LAYER=PLAN&TILEMATRIX={z}&TILEROW={y}&TILECOL={x}",
      MAP_ATTRIBUTION: "IGN",
      MAP_ATTRIBUTION_URL: "https://data.exemple.fr/licence",
      MAP_MAX_ZOOM: "18",
    };
    expect(loadConfig(whole).map).toMatchObject({
      attributionUrl: "https://data.exemple.fr/licence",
      maxZoom: 18,
    });
  });

  test("without its authors the start is refused, and so is what speaks of none", () => {
    expect(() => loadConfig({ MAP_TILES_URL: tiles })).toThrow("demande aussi MAP_ATTRIBUTION");
    for (const lone of ["MAP_ATTRIBUTION", "MAP_ATTRIBUTION_URL", "MAP_MAX_ZOOM"]) {
      const env = { [lone]: lone === "MAP_MAX_ZOOM" ? "18" : "https://exemple.fr/licence" };
      expect(() => loadConfig(env)).toThrow("ils demandent aussi MAP_TILES_URL");
    }
  });

  test("without https only this machine and the portal itself", () => {
    const read = (url: string, env: NodeJS.ProcessEnv = {}) =>
      loadConfig({ MAP_TILES_URL: url, MAP_ATTRIBUTION: authors, ...env }).map?.tilesUrl;
    const own = { PUBLIC_URL: "http://carte.exemple.fr" };
    const ofPortal = "http://carte.exemple.fr/tuiles/{z}/{x}/{y}.png";
    expect(read("http://127.0.0.1:8080/{z}/{x}/{y}.png")).toContain("127.0.0.1");
    expect(read(ofPortal, own)).toBe(ofPortal);
    const elsewhere = () => read("http://tuiles.exemple.fr/secret/{z}/{x}/{y}.png", own);
    expect(elsewhere).toThrow("l'adresse d'un autre serveur commence par https://");
    expect(elsewhere).not.toThrow("secret");
  });
});
