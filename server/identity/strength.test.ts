// Which passwords are refused when chosen, and which are not.
import { describe, expect, test } from "vitest";
import { requireStrongPassword } from "./strength.ts";

const person = {
  name: "Camille Moreau",
  email: "camille.moreau@exemple.fr",
  phonenumber: "+33612345601",
  cardnumbers: [1000000016],
};
const verdict = (password: string) => {
  try {
    requireStrongPassword(password, person);
    return "ok";
  } catch (problem) {
    return (problem as { code: string }).code;
  }
};

describe("requireStrongPassword", () => {
  test.each(["", "x", "onze signes", "éèàçùâêîôû!"])("« %s » is too short", (password) => {
    expect(verdict(password)).toBe("password_too_short");
  });

  test.each([
    "motdepasse123",
    "MotDePasse2026!",
    "M0tD3P@ss3!!",
    "azertyuiop12",
    "qwertyuiop[]",
    "123456789012",
    "012345678910",
    "aaaaaaaaaaaa",
    "abababababab",
    "xk9xk9xk9xk9",
    "password1234",
    "P@ssw0rd1234",
    "iloveyou1234",
    "jetaime12345",
    "soleilsoleil",
    "Marseille13013",
    "demo-ma-carte-2026",
    "ma-carte-cantine",
    "camillemoreau",
    "Moreau-1000000016",
    "0612345601061",
    "administrateur",
    "bienvenue2026",
    "1q2w3e4r5t6y",
    "qazwsxedcrfv",
  ])("« %s » is too common", (password) => {
    expect(verdict(password)).toBe("password_too_common");
  });

  test.each([
    ["Moreau-1000000016", "il contient votre nom, votre adresse ou un de vos numéros"],
    ["bienvenue2026", "il est fait de mots courants"],
    ["abababababab", "il est fait de suites ou de répétitions"],
  ])("the refusal of « %s » names its cause", (password, cause) => {
    expect(() => requireStrongPassword(password, person)).toThrow(cause);
  });

  test.each([
    "correct horse battery staple",
    "pluie-tiède-sur-zinc",
    "trois hérons boitent",
    "kV9#qLp2!xRz",
    "le merle chante faux",
    "日本語のパスワードです長い",
    "🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧",
  ])("« %s » is accepted", (password) => {
    expect(verdict(password)).toBe("ok");
  });
});

describe("what can be guessed counts for nothing: five other characters are needed", () => {
  // Letters that are in no word, run or year: four different ones are too few, five are enough.
  const four = "ωψχφ".repeat(3);
  const five = `${four}σ`;

  test.each([
    ["the alphabet", "klmnop"],
    ["the alphabet backwards", "ponmlk"],
    ["digits", "345678"],
    ["a French keyboard", "zertyu"],
    ["a French keyboard backwards", "ytrez"],
    ["its second row", "qsd"],
    ["its third row", "wxc"],
    ["an English keyboard", "qwe"],
    ["its second row", "asd"],
    ["its third row", "bnm"],
    ["a zigzag, English", "1q2w"],
    ["a zigzag, French", "1a2z"],
    ["a zigzag from the letter, English", "q1w2"],
    ["a zigzag from the letter, French", "a1z2"],
    ["a word with accents", "môtdépàssé"],
    ["a word with @", "@dministrateur"],
    ["a word with 4", "4dministrateur"],
    ["a word with 3", "bi3nvenue"],
    ["a word with €", "bi€nvenue"],
    ["a word with 1", "adm1nistrateur"],
    ["a word with !", "b!envenue"],
    ["a word with 0", "b0njour"],
    ["a word with 5", "5oleil"],
    ["a word with $", "$oleil"],
    ["a word with 7", "7oulouse"],
    ["years", "198720041993"],
  ])("%s: %s", (_, piece) => {
    const guessable = piece.repeat(3);
    expect(verdict(`${guessable}${four}`)).toBe("password_too_common");
    expect(verdict(`${guessable}${five}`)).toBe("ok");
  });

  const judged = (password: string, known: Parameters<typeof requireStrongPassword>[1]) => {
    try {
      requireStrongPassword(password, known);
      return "ok";
    } catch (problem) {
      return (problem as { code: string }).code;
    }
  };

  test.each([
    ["a name", { name: "Zoé Zylberstajn-Quirvaux" }, "zylberstajnquirvaux"],
    ["a name of three letters", { name: "Kwo" }, "kwo"],
    ["a name within a longer one", { name: "Vik Vikszotarom" }, "vikszotarom"],
    ["an e-mail", { email: "xuvorq7.blimstad@exemple.fr" }, "xuvorq7blimstad"],
    ["a phone number", { phonenumber: "+33697082514" }, "697082514"],
    ["a card number", { cardnumbers: [2_085_736_914] }, "2085736914"],
  ])("%s is known to whoever knows the person", (_, known, piece) => {
    const password = `${piece}${piece}${four}`;
    expect(judged(password, known)).toBe("password_too_common");
    expect(judged(password, {})).toBe("ok");
  });

  test("a name of two letters is too short to be a hint", () => {
    expect(judged("wuωψχωψχωψχω", { name: "Wu" })).toBe("ok");
  });

  test("two neighbours are no run, wherever they stand", () => {
    expect(verdict("abωψχχχχχχχχ")).toBe("ok");
    expect(verdict("ωψχχχχχχχχab")).toBe("ok");
  });

  test.each(["acamillebcωψ", "a1987bcωψωψωψ", "a--bcωψωψωψψψ"])(
    "what stands on both sides of what was taken away does not join: « %s »",
    (password) => {
      expect(verdict(password)).toBe("ok");
    },
  );
});
