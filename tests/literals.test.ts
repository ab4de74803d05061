// The specification's literals, to the character, against the code that uses them: texts, console
// lines, cookies, keys, paths, names, time-outs, retries, notifications, dates (spec §2 to §9).
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { api } from "#contract/api.ts";
import type { Row } from "#contract/endpoint.ts";
import { problems } from "#contract/errors.ts";
import { formatDate, formatTime, meridiemOf } from "#contract/french.ts";
import { weekOf } from "#contract/weeks.ts";
import { spec } from "#contract/limits.ts";
import { consoleLines, texts } from "#contract/texts.ts";
import { installPage, tokenSaying } from "./page-globals.ts";

const page = installPage();
const lines = await import("#web/app/transport/console-lines.ts");
const { keepToken, stateOfToken } = await import("#web/app/transport/token.ts");
const { workerAddress } = await import("#web/app/transport/trusted.ts");
const { OfflinePage } = await import("#web/ui/state.tsx");
const { notify, ToastRegion } = await import("#web/ui/toast.tsx");
const { table } = await import("#web/paths.ts");

describe("texts that people read", () => {
  it.each([
    [
      "generic failure",
      texts.requestFailed,
      "Une erreur s'est produite pendant l'envoi de la requête",
    ],
    [
      "generic failure, server",
      problems.internal.message,
      "Une erreur s'est produite pendant l'envoi de la requête",
    ],
    ["dispatch failure", texts.dispatchFailed, "Une erreur s'est produite"],
    ["login failure", texts.loginFailed, "Erreur d'identifiant et/ou de mot de passe."],
    [
      "login failure, server",
      problems.wrong_credentials.message,
      "Erreur d'identifiant et/ou de mot de passe.",
    ],
    ["null token cookie", texts.tokenNotFound, "Token not found"],
    ["offline", texts.offline, "Connexion perdue"],
    ["offline button", texts.reload, "rafraîchir"],
    ["page title", spec.title, "Ma carte"],
  ])("%s", (_, code, specified) => expect(code).toBe(specified));

  it("the offline page shows its subtitle and its one outlined red button, with these words", () => {
    const markup = renderToStaticMarkup(createElement(OfflinePage, { onReload: () => {} }));
    const words = markup
      .replaceAll(/<[^>]+>/g, "|")
      .split("|")
      .filter(Boolean);
    expect(words).toEqual(["Connexion perdue", "rafraîchir"]);
    expect(markup.match(/<button/g)).toHaveLength(1);
    expect(markup).toMatch(/<button[^>]*data-kind="alert"/);
  });
});

describe("console lines", () => {
  it("are the specification's", () => {
    expect(consoleLines).toEqual({
      tokenExpired: "Token expiré, suppression du cookie de session.",
      tokenUndecodable: "Erreur lors du décodage du token :",
      workerRegistered: "Service Worker enregistré",
      workerFailed: "Erreur SW :",
    });
  });

  it("are written by the code that meets the case", () => {
    const written: unknown[] = [];
    const spies = (["log", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line) => void written.push(line)),
    );
    stateOfToken(tokenSaying({ exp: 1 }));
    stateOfToken("garbled");
    lines.logWorkerRegistered();
    lines.logWorkerFailed(new Error("x"));
    for (const spy of spies) spy.mockRestore();
    expect(written).toEqual([
      "Token expiré, suppression du cookie de session.",
      "Erreur lors du décodage du token :",
      "Service Worker enregistré",
      "Erreur SW :",
    ]);
  });
});

describe("cookies and keys", () => {
  it("two cookies of one hour, secure, path /", () => {
    page.empty();
    const written: string[] = [];
    const jar = vi.spyOn(document, "cookie", "set").mockImplementation((cookie) => {
      written.push(cookie);
    });
    keepToken("a.b.c", 3600);
    jar.mockRestore();
    expect(written.map((cookie) => cookie.split("=")[0])).toEqual(["jwt_token", "jwt_expires"]);
    for (const cookie of written) expect(cookie).toContain("; Max-Age=3600; Path=/; Secure");
  });

  it.each([
    [spec.tokenCookie, "jwt_token"],
    [spec.dataCardKey, "Data_card"],
    [spec.transportKey, "transport"],
    [spec.userKey, "user"],
    [spec.defaultServicesPath, "/services"],
    [spec.loginPath, "/login"],
    [workerAddress, "/sw.js"],
  ])("%s", (code, specified) => expect(code).toBe(specified));
});

describe("limits", () => {
  it.each([
    ["cookie lifetime", spec.cookieLifetimeSeconds, 3600],
    ["request time-out", spec.requestTimeoutMs, 600_000],
    ["login time-out", spec.loginTimeoutMs, 59_000],
    ["login time-out, row", api.identity.login.timeoutMs, 59_000],
    ["retries", spec.retryCount, 3],
    ["retry status", spec.retryStatus, 429],
    ["retry delay", spec.retryDelayMs, 1000],
    ["notification time-out", spec.notificationTimeoutMs, 5000],
    ["notification position", spec.notificationPosition, "bottom"],
    ["first day of the week", spec.firstDayOfWeek, 1],
    ["day in the first week", spec.firstWeekContainsDay, 4],
  ])("%s", (_, code, specified) => expect(code).toBe(specified));

  it("user types are 1 and 2", () => expect(spec.userTypes).toEqual([1, 2]));

  it("a notification stands at the bottom unless it says otherwise", () => {
    const removers = [notify({ text: "en bas" }), notify({ text: "en haut", position: "top" })];
    const markup = renderToStaticMarkup(createElement(ToastRegion));
    for (const take of removers) take();
    const [top = "", bottom = ""] = markup.split('data-position="bottom"');
    expect([top.includes("en haut"), top.includes("en bas")]).toEqual([true, false]);
    expect(bottom).toContain("en bas");
  });
});

describe("calls (spec §7)", () => {
  const calls: [Row, string, string, string[], string[]][] = [
    [api.identity.login, "POST", "/login", ["login", "password"], ["message", "data", "token"]],
    [api.wallet.info, "POST", "/card/info", ["cardnumber"], ["cardnumber", "credit"]],
    [api.partners.autoAdhesion, "GET", "/services/autoAdhesion", ["code"], ["data"]],
    [api.wallet.publicServices, "POST", "/public/services/public", ["cardnumber"], []],
    [api.tickets.billet, "POST", "/public/services/billet", ["cardnumber"], []],
    [api.cardOrders.dispatch, "GET", "/order/dispatch/:id", ["id"], ["data"]],
    [
      api.cardOrders.information,
      "POST",
      "/order/getInformation",
      ["cardnumber"],
      ["success", "data", "message"],
    ],
  ];
  const keys = (schema: unknown) =>
    Object.keys((schema as { shape: Record<string, unknown> }).shape);
  it.each(calls)("%#", (row, method, path, payload, reads) => {
    expect([row.method, row.path]).toEqual([method, `/api${path}`]);
    expect(keys(row.input)).toEqual(payload);
    expect(keys(row.output)).toEqual(expect.arrayContaining(reads));
  });

  it("autoAdhesion is asked with code=true", () => {
    const { input } = api.partners.autoAdhesion;
    expect(input.safeParse({ code: "true" }).success).toBe(true);
    expect(input.safeParse({ code: "yes" }).success).toBe(false);
  });
});

describe("paths and route names (spec §2)", () => {
  it.each([
    ["/login", "login"],
    ["/identify", "forgotPassword"],
    ["/reset/password", "resetPassword"],
    ["/health", null],
    ["/contact", "contact"],
    ["/dashboard", "dashboard"],
    ["/faq", "faq"],
    ["/faq/:id", "detail"],
    ["/profil", "profil"],
    ["/family", "family"],
    ["/family/:cardnumber", "familydetail"],
    ["/services/cagnottes", "services_cagnotte_public"],
    ["/servivces/abonnement", "Abonnement_user"],
    ["/services/E-Billet", "Billet_public"],
    ["/test/bien", "test"],
    ["/professional", "professional"],
    ["/professional/category", "category"],
    ["/professional/repertory", "repertory"],
    ["/professional/invoice", "invoice"],
    ["/professional/card_pro", "card_pro"],
    ["/professional/partenaire", "partenaire"],
    ["/services", "services_list_local"],
    ["/services/:code", "service-index"],
    ["/services/:code/:id", "Transport_mobile"],
    ["/services/partner", "Partner_components"],
    ["/services/:objectID/:name/:idgroup", "recharge_cagnotte"],
    ["/:code_services", "adhesion_page"],
    ["/card", "Pro_card"],
    ["/Abonnement/ligne", "AbonnementbusCpp_transport"],
    ["/Abonnement/ligne/:group", "Product_Abonnement"],
    ["/Abonnement/ligne/purchase/abonnement", "Purchache_Abonnement"],
    ["/commande/cantine", "List_of_pretataire_of_cantine"],
    ["/commande/cantine/:name/:idgroup", "product_cantine_futures"],
    ["/commande/cantine/suivi", "suivi_de_demande_cantine"],
    ["/pro/cantine", null],
    ["/partenaire/:id", "Details_partner"],
    ["/partenaire/validation", "Validation_commande_cantine"],
    ["/partenaire/Suivi_cantine", "Suivi_cantine"],
  ])("%s is %s", (path, name) => {
    expect(table.filter((entry) => entry.path === path).map((entry) => entry.name)).toEqual([name]);
  });

  it("no name stands twice", () => {
    const names = table.flatMap(({ name }) => (name === null ? [] : [name]));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each([
    ["/", "/dashboard"],
    ["/forgot-password", "/identify"],
    ["/forgot-password/identify", "/identify"],
    ["/reset-password", "/reset/password"],
    ["/reset-password/reset/password", "/reset/password"],
    ["/professional", "/professional/repertory"],
  ])("%s leads to %s", (path, to) => {
    const entry = table.find((candidate) => candidate.path === path);
    expect(entry && "redirect" in entry && entry.redirect).toBe(to);
  });

  it("the login and the default services path are those of the constants", () => {
    const pathOf = (route: string) => table.find(({ name }) => name === route)?.path;
    expect(pathOf("login")).toBe("/login");
    expect(pathOf("services_list_local")).toBe("/services");
  });
});

describe("dates (spec §9)", () => {
  it("DD/MM/YYYY and HH:mm", () => {
    expect([spec.dateFormat, spec.timeFormat]).toEqual(["DD/MM/YYYY", "HH:mm"]);
    expect(formatDate("2026-03-04")).toBe("04/03/2026");
    expect(formatDate("2026-12-31T23:30:00Z")).toBe("01/01/2027");
    expect(formatTime("2026-07-01T06:05:00Z")).toBe("08:05");
    expect(formatTime("2026-01-01T23:00:00Z")).toBe("00:00");
  });

  it("PD before noon, MD from noon", () => {
    expect(spec.meridiem).toEqual(["PD", "MD"]);
    expect(meridiemOf("2026-01-05T10:59:00Z")).toBe("PD");
    expect(meridiemOf("2026-01-05T11:00:00Z")).toBe("MD");
    expect(meridiemOf("2026-01-04T23:00:00Z")).toBe("PD");
  });

  it.each([
    ["2026-01-01", 1],
    ["2026-01-04", 1],
    ["2026-01-05", 2],
    ["2021-01-03", 53],
    ["2021-01-04", 1],
    ["2024-12-29", 52],
    ["2024-12-30", 1],
    ["2020-12-31", 53],
    ["2027-01-03", 53],
  ])("%s is in week %i: weeks start on Monday, the first holds 4 January", (day, week) => {
    expect(weekOf(day)).toBe(week);
    expect(weekOf(`${day}T12:00:00Z`)).toBe(week);
  });
});
