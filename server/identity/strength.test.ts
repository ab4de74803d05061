// Which passwords are refused when chosen, and which are not.
import { describe, expect, test } from "vitest";
import { Problem } from "#contract/errors.ts";
import { type Known, requireStrongPassword } from "./strength.ts";

const person: Known = {
  name: "Camille Moreau",
  email: "camille.moreau@exemple.fr",
  phonenumber: "+33612345601",
  cardnumbers: [1000000016],
};
const verdict = async (password: string, known = person): Promise<string> => {
  try {
    await requireStrongPassword(password, known);
    return "ok";
  } catch (problem) {
    return (problem as Problem).code;
  }
};

// proves: new-password
test.each(["", "x", "onze signes", "éèàçùâêîôû!"])("« %s » is too short", async (password) => {
  expect(await verdict(password)).toBe("password_too_short");
});

// proves: new-password
test.each([
  "motdepasse123",
  "MotDePasse2026!",
  "M0tD3P@ss3!!",
  "môtdépàssé123",
  "azertyuiop12",
  "qwertyuiop[]",
  "123456789012",
  "012345678910",
  "klmnopklmnop",
  "aaaaaaaaaaaa",
  "abababababab",
  "xk9xk9xk9xk9",
  "ωψχωψχωψχωψχ",
  "password1234",
  "P@ssw0rd1234",
  "iloveyou1234",
  "jetaime12345",
  "soleilsoleil",
  "Marseille13013",
  "Bretagne35400!",
  "ma-carte-cantine",
  "macarte2026!!",
  "camillemoreau",
  "uaeromellimac1",
  "Moreau-1000000016",
  "0612345601061",
  "administrateur",
  "bienvenue2026",
  "motdepasse2026!",
  "demo-ma-carte-2026",
  "chaton_soleil_2026",
  "1q2w3e4r5t6y",
  "qazwsxedcrfv",
])("« %s » is too common", async (password) => {
  expect(await verdict(password)).toBe("password_too_common");
});

test.each([
  ["Moreau-1000000016", "il contient votre nom, votre adresse ou un de vos numéros"],
  ["bienvenue2026", "il est fait de mots courants"],
  ["ma-carte-cantine", "il est fait de mots courants"],
  ["abababababab", "il est fait de suites ou de répétitions"],
])("the refusal of « %s » names its cause", async (password, cause) => {
  await expect(requireStrongPassword(password, person)).rejects.toThrow(cause);
});

// proves: new-password
test.each([
  "correct horse battery staple",
  "pluie-tiède-sur-zinc",
  "trois hérons boitent",
  "kV9#qLp2!xRz",
  "x7$Kp!m2&Qz@",
  "le merle chante faux",
  "bateau-jardin-lune",
  "Le chat dort bien",
  "日本語のパスワードです長い",
  "🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧",
])("« %s » is accepted", async (password) => {
  expect(await verdict(password)).toBe("ok");
});

describe("what is known of the person is tried first", () => {
  test.each([
    ["a name", { name: "Zoé Zylberstajn-Quirvaux" }, "zylberstajnquirvaux12"],
    ["a name of three letters", { name: "Kwo" }, "kwokwokwokwo!1"],
    ["an e-mail", { email: "xuvorq7.blimstad@exemple.fr" }, "xuvorq7blimstad12"],
    ["a phone number", { phonenumber: "+33697082514" }, "697082514xq!z"],
    ["a phone number as it is dialled", { phonenumber: "+33697082514" }, "0697082514xq!"],
    ["a card number", { cardnumbers: [2_085_736_914] }, "2085736914xq"],
  ])("%s", async (_, known, password) => {
    expect(await verdict(password, known)).toBe("password_too_common");
  });

  test("and of nobody else", async () => {
    expect(await verdict("zylberstajnquirvaux12", {})).toBe("ok");
    expect(await verdict("xuvorq7blimstad12", {})).toBe("ok");
  });
});

test.each([
  ["4@a8(3!1|0$5+7%2".repeat(8), "ok"],
  ["a@4".repeat(42), "password_too_common"],
])("as long as they may be: « %s »", async (password, answer) => {
  expect(await verdict(password)).toBe(answer);
});
