// Addresses from the table, as sent on the wire: those of sent notices and bookmarks never change.
import { expect, test } from "vitest";
import { linkTo, wireSearch } from "./link-to.ts";
import { paths, searchNames } from "./paths.ts";
import { atPlace, placeNames } from "./places.ts";

test.each([
  [linkTo(paths.contact, {}, { thread: "7" }), "/contact?fil=7"],
  [linkTo(paths.contact, {}, { write: "1" }), "/contact?ecrire=1"],
  [linkTo(paths.canteenDesk, {}, { tab: "absences" }), "/pro/cantine?onglet=absences"],
  [linkTo(paths.till, {}, { tab: "journee" }), "/partenaire/caisse?onglet=journee"],
  [
    linkTo(paths.meals, {}, { month: "2026-11", day: "2026-11-23" }),
    "/commande/cantine/suivi?mois=2026-11&jour=2026-11-23",
  ],
  [
    linkTo(paths.canteenProvider, { name: "jean-moulin", idgroup: 4 }, { week: "2026-11-23" }),
    "/commande/cantine/jean-moulin/4?semaine=2026-11-23",
  ],
  [
    linkTo(paths.fares, { group: 2 }, { pass: "a", card: 1000000024 }),
    "/Abonnement/ligne/2?titre=a&carte=1000000024",
  ],
  [
    linkTo(paths.topUp, { objectID: "a", name: "été", idgroup: 3 }, { topUp: "b" }),
    "/services/a/%C3%A9t%C3%A9/3?recharge=b",
  ],
  [linkTo(paths.tickets, {}, { cart: "" }), "/services/E-Billet?panier="],
  [linkTo(paths.subscription, {}, { card: undefined }), "/servivces/abonnement"],
  [
    atPlace(linkTo(paths.contact, {}, { thread: "7" }), "contactAnswer", 7),
    "/contact?fil=7#reponse-7",
  ],
])("writes %s", (address, onWire) => expect(address).toBe(onWire));

test.each([
  ["search parameter", searchNames],
  ["place", placeNames],
])("each %s has a name of its own on the wire", (_what, names) => {
  const onWire: string[] = Object.values(names);
  expect(onWire.filter((name, index) => onWire.indexOf(name) !== index)).toEqual([]);
});

test("search parameters take their names on the wire", () => {
  expect(wireSearch<"till">({ tab: "ventes", from: "2026-11-01", cashier: 1 })).toEqual({
    onglet: "ventes",
    du: "2026-11-01",
    encaisseur: 1,
  });
});

test("what the table does not contain is a type error", () => {
  // @ts-expect-error no such path
  linkTo("/contacts", {});
  // @ts-expect-error its parameter is missing
  linkTo(paths.faqAnswer, {});
  // @ts-expect-error it has no parameter of that name
  linkTo(paths.contact, { thread: "7" });
  // @ts-expect-error it has no search parameter of that name
  linkTo(paths.contact, {}, { tab: "absences" });
  // @ts-expect-error it has no search parameter at all
  linkTo(paths.health, {}, { tab: "absences" });
  // @ts-expect-error its tabs are others
  linkTo(paths.till, {}, { tab: "absences" });
  // @ts-expect-error in code it has its English name
  wireSearch<"till">({ onglet: "ventes" });
});
