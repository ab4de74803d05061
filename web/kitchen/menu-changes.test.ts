// What a colleague has changed of a menu, in words.
import { expect, test } from "vitest";
import type { Dish } from "#contract/kitchen/menus.ts";
import { menuChanges } from "./menu-changes.ts";
import { menuOfText, menuText } from "./menu-lines.ts";

const fish: Dish = {
  course: "main",
  name: "Lieu",
  labels: ["msc"],
  allergens: ["fish", "milk"],
  diets: ["no_pork"],
  priceCents: 350,
};
const melon: Dish = { ...fish, course: "starter", name: "Melon", allergens: [] };
const menu = (dishes: Dish[], note = "") => ({ note, dishes });

test("dishes that came and went, allergens that are declared otherwise, and the note", () => {
  const pear: Dish = { ...melon, course: "dessert", name: "Poire" };
  const before = menu([melon, fish], "Froid");
  const after = menu([{ ...fish, name: "LIEU", allergens: null }, pear]);
  expect(menuChanges(before, after)).toEqual([
    ["Plats retirés", "Melon"],
    ["Plats ajoutés", "Poire"],
    ["Allergènes changés", "LIEU (allergènes non renseignés)"],
    ["Note", "retirée"],
  ]);
  expect(menuChanges(menu([]), menu([melon], "Froid"))).toEqual([
    ["Plats ajoutés", "Melon"],
    ["Note", "Froid"],
  ]);
});

test("allergens in another order are the same; what has no line of its own is named", () => {
  const after = menu([{ ...fish, allergens: ["milk", "fish"], priceCents: 400 }]);
  expect(menuChanges(menu([fish]), after)).toEqual([
    ["Changements", "service, ordre, labels, régimes ou prix des plats"],
  ]);
});

test("what has no line of its own is named beside what has one: a diet, the order", () => {
  const before = menu([melon, fish]);
  const words = "service, ordre, labels, régimes ou prix des plats";
  const others = ["Autres changements", words];
  const note = ["Note", "Froid"];
  const forAll = menu([melon, { ...fish, diets: [] }], "Froid");
  expect(menuChanges(before, forAll)).toEqual([note, others]);
  expect(menuChanges(before, menu([fish, melon], "Froid"))).toEqual([note, others]);
  expect(menuChanges(before, menu([fish]))).toEqual([["Plats retirés", "Melon"]]);
});

test("the text of a menu says the menu, as it is stored", () => {
  const written = menu([melon, { ...fish, allergens: null }], "Froid");
  expect(menuOfText(menuText(written))).toEqual(written);
  expect(menuText({ ...written, note: " Froid " })).toBe(menuText(written));
});
