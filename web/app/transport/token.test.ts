// The token in its cookie: the two cookies, the four garbled forms, the console lines of spec §8.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installPage, tokenSaying } from "#tests/page-globals.ts";
import {
  decodeToken,
  dropToken,
  keepToken,
  readToken,
  stateOfToken,
  tokenEndsAt,
} from "./token.ts";

const page = installPage();
const error = vi.spyOn(console, "error").mockImplementation(() => {});
const warn = vi.spyOn(console, "warn").mockImplementation(() => {});

beforeEach(() => page.empty());
afterEach(() => {
  error.mockClear();
  warn.mockClear();
});

const hour = 3600;
const now = Date.now();

describe("the two cookies", () => {
  it("last one hour, secure, path /, SameSite=Strict", () => {
    const written: string[] = [];
    const jar = vi.spyOn(document, "cookie", "set").mockImplementation((cookie) => {
      written.push(cookie);
    });
    keepToken("a.b.c", hour);
    jar.mockRestore();
    expect(written[0]).toBe("jwt_token=a.b.c; Max-Age=3600; Path=/; Secure; SameSite=Strict");
    expect(written[1]).toMatch(
      /^jwt_expires=\d{4}-\d\d-\d\dT[^;]+Z?; Max-Age=3600; Path=\/; Secure; SameSite=Strict$/,
    );
  });

  it("go together", () => {
    keepToken("a.b.c", hour);
    expect(readToken()).toBe("a.b.c");
    expect(Math.abs((tokenEndsAt() ?? 0) - (Date.now() + hour * 1000))).toBeLessThan(1000);
    dropToken();
    expect([readToken(), tokenEndsAt(), document.cookie]).toEqual([null, null, ""]);
  });

  it.each(["%E0%A4%A", "a.%E0%A4%A.c", `${tokenSaying({ exp: 4e9 })}%E0%A4%A`])(
    "garbled percent-encoding is an undecodable token, and can be dropped: %s",
    (value) => {
      document.cookie = `jwt_token=${value}; Path=/`;
      expect(stateOfToken(readToken(), now)).toBe("undecodable");
      expect(error).toHaveBeenCalledTimes(1);
      dropToken();
      expect(readToken()).toBeNull();
    },
  );

  it("an expiry of garbled percent-encoding is no expiry", () => {
    document.cookie = "jwt_expires=%E0%A4%A; Path=/";
    expect(tokenEndsAt()).toBeNull();
  });

  it("leave nothing of the token behind, even in a browser that is slow to drop them", () => {
    const jar = vi.spyOn(document, "cookie", "set").mockImplementation(() => {});
    dropToken();
    const written = jar.mock.calls.map(([cookie]) => cookie);
    jar.mockRestore();
    expect(written).toEqual([
      "jwt_token=; Max-Age=0; Path=/; Secure; SameSite=Strict",
      "jwt_expires=; Max-Age=0; Path=/; Secure; SameSite=Strict",
    ]);
  });
});

describe("a token", () => {
  it("is valid until its exp, in seconds", () => {
    const exp = Math.floor(now / 1000) + hour;
    expect(stateOfToken(tokenSaying({ exp }), now)).toBe("valid");
    expect(decodeToken(tokenSaying({ exp, sub: "é" }))).toEqual({ exp, sub: "é" });
    expect(error).not.toHaveBeenCalled();
    expect(warn).not.toHaveBeenCalled();
  });

  it("is expired from its exp on, and the console says so", () => {
    expect(stateOfToken(tokenSaying({ exp: now / 1000 }), now)).toBe("expired");
    expect(warn.mock.calls).toEqual([["Token expiré, suppression du cookie de session."]]);
  });

  it.each([
    ["not a string", 42],
    ["a part missing", "aaa.bbb"],
    ["bad base64", "aaa.***.ccc"],
    ["bad JSON", `aaa.${btoa("{exp")}.ccc`],
    ["JSON without exp", tokenSaying({ sub: "x" })],
    ["JSON null", tokenSaying(null as unknown as Record<string, unknown>)],
    ["empty", ""],
  ])("is undecodable: %s", (_, token) => {
    expect(stateOfToken(token, now)).toBe("undecodable");
    expect(error).toHaveBeenCalledTimes(1);
    expect(error.mock.calls[0]?.[0]).toBe("Erreur lors du décodage du token :");
    expect(error.mock.calls[0]?.[1]).toBeInstanceOf(Error);
  });

  const missing = "une partie du token manque";
  it.each([
    [42, "le token n'est pas une chaîne"],
    [undefined, "le token n'est pas une chaîne"],
    ["", missing],
    ["aaa", missing],
    [".bbb.ccc", missing],
    ["aaa..ccc", missing],
    ["aaa.bbb.", missing],
    [tokenSaying(null as unknown as Record<string, unknown>), "le token est vide"],
    [tokenSaying(7 as unknown as Record<string, unknown>), "le token est vide"],
    [tokenSaying({ exp: "2026" }), "le token n'a pas d'expiration"],
  ])("%s says what is wrong with it: %s", (token, sentence) => {
    expect(() => decodeToken(token)).toThrow(sentence);
  });

  it("is read as base64 of addresses, and only as UTF-8", () => {
    const token = tokenSaying({ exp: 1, sub: "~~~???ÿÿÿ" });
    expect(token).toMatch(/-.*_|_.*-/);
    expect(decodeToken(token)).toEqual({ exp: 1, sub: "~~~???ÿÿÿ" });
    const cut = Buffer.from('{"exp":1,"sub":"é"}', "latin1").toString("base64url");
    expect(() => decodeToken(`aaa.${cut}.ccc`)).toThrow(TypeError);
  });

  it("says nothing of a subject that is no text", () => {
    expect(decodeToken(tokenSaying({ exp: 1, sub: 7 }))).toEqual({ exp: 1 });
  });

  it("is missing without a cookie, and the console says nothing", () => {
    expect(stateOfToken(readToken())).toBe("missing");
    expect(error).not.toHaveBeenCalled();
  });
});
