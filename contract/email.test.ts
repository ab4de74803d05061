// A form accepts the same e-mail addresses as the server.
import { expect, test } from "vitest";
import { email } from "./endpoint.ts";
import { isEmail } from "./email.ts";

test.each([
  ["nom@exemple.fr", true],
  ["prenom.nom+carte@sous.exemple-re.re", true],
  ["o'brien@exemple.fr", true],
  ["nom@exemple", false],
  ["nom@exemple.f", false],
  ["nom@exemple.12", false],
  ["nom@exemple..fr", false],
  [".nom@exemple.fr", false],
  ["nom@@exemple.fr", false],
  ["zoé@exemple.fr", false],
  ["nom prenom@exemple.fr", false],
  ["nom@exemple.fr, autre@exemple.fr", false],
  ["", false],
])("%s: %s", (typed, isWhole) => {
  expect(isEmail(typed)).toBe(isWhole);
  expect(email.safeParse(typed).success).toBe(isWhole);
});

test.each(["  nom@exemple.fr ", "nom@\u200bexemple.fr", "\u2068nom@exemple.fr\u2069\u00a0"])(
  "blanks around %j and marks that nobody sees are none of it",
  (typed) => {
    expect(isEmail(typed)).toBe(true);
    expect(email.safeParse(typed).data).toBe("nom@exemple.fr");
  },
);
