// Finding an answer as people type, reading it, saying whether it helped: through HTTP.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let guardian: Client;
let shop: Client;
beforeAll(async () => {
  server = await openTestServer();
  guardian = await server.as("guardian");
  shop = await server.as("partnerShop");
});
afterAll(() => server.close());

const found = async (q: string, client = guardian): Promise<string[]> => {
  const { body } = await client.get(`/api/faq?q=${encodeURIComponent(q)}`);
  return (body["items"] as { id: string }[]).map(({ id }) => id);
};
const votes = () => server.deps.db.selectFrom("faqVote").select(["articleId", "useful"]).execute();

test.each([
  ["recharger", "recharger-une-cagnotte"],
  ["opposision", "carte-perdue"],
  ["carte perdu", "carte-perdue"],
  ["mot de pase oublier", "mot-de-passe-oublie"],
  ["numéro de téléphonne", "changer-telephone-email"],
  ["RECU", "recu-de-recharge"],
  ["virment", "faire-un-virement"],
  ["plafon enfant", "plafonds-enfant"],
  ["je recoi pas le code sms", "code-non-recu"],
  ["cle d'acces", "cles-d-acces"],
  ["J'ai perdu ma carte !", "carte-perdue"],
  ["bus", "acheter-un-titre-de-bus"],
  ["car scolaire", "acheter-un-titre-de-bus"],
  ["autocar", "acheter-un-titre-de-bus"],
  ["horaire du bus", "horaires-de-bus"],
  ["a quelle heure passe le car", "horaires-de-bus"],
  ["titre de bus perdu", "titre-de-bus-perdu"],
  ["remboursment", "rembourser"],
  ["remboursement", "rembourser"],
  ["être remboursé d'un billet", "annuler-un-billet"],
  ["anuler mon billet", "annuler-un-billet"],
  ["acheter une place de cinéma", "acheter-un-billet"],
  ["offrir un ticket à un ami", "donner-un-billet"],
  ["mdp oublié", "mot-de-passe-oublie"],
  ["password", "mot-de-passe-oublie"],
  ["smartphone", "presenter-le-qr-code"],
  ["changer mon mail", "changer-telephone-email"],
  ["résilier mon compte", "fermer-mon-compte"],
  ["quel magasin accepte la carte", "ou-ma-carte-sert"],
  ["facture", "recu-de-recharge"],
  ["envoyer des sous à ma fille", "faire-un-virement"],
  ["virer de l'argent", "faire-un-virement"],
  ["renouvellement abonement", "abonnement-a-la-carte"],
  ["quotient caf", "envoyer-un-justificatif"],
  ["garde alternée", "semaines-de-garde"],
  ["recharge automatique tous les mois", "recharge-automatique"],
  ["parler à un conseiller", "ecrire-au-service"],
  ["carte volée", "carte-perdue"],
])("« %s » finds %s first", async (q, id) => {
  expect((await found(q))[0]).toBe(id);
});

test.each([
  "xylophone",
  "zzzzqqq",
  "météo",
  "recette de crêpes",
  "réserver un hôtel à Paris",
  "pizza",
  "aspirateur",
  "bitcoin",
  "le prix du pétrole brut",
  "' & | ! :* <->",
  "%_\\",
  "de la",
  "comment faire",
])("« %s » finds nothing", async (q) => {
  expect(await found(q)).toEqual([]);
});

test("a query of 100 characters is read, a longer one refused", async () => {
  expect((await found("a".repeat(100))).length).toBe(0);
  const long = await guardian.get(`/api/faq?q=${"a".repeat(101)}`);
  expect([long.status, long.body["code"]]).toEqual([400, "invalid_input"]);
});

test("all questions without a query; those on families are not for professionals", async () => {
  const { body } = await guardian.get("/api/faq");
  const items = body["items"] as { id: string; category: string; summary: string }[];
  expect(items.length).toBeGreaterThanOrEqual(20);
  expect(items.every(({ summary }) => summary.length > 20 && !summary.includes("\n"))).toBe(true);
  const theirs = (await shop.get("/api/faq")).body["items"] as typeof items;
  expect(theirs.length).toBeGreaterThan(10);
  expect(theirs.filter(({ category }) => category === "family")).toEqual([]);
  expect(await found("plafonds enfant", shop)).not.toContain("plafonds-enfant");
  expect((await shop.get("/api/faq/plafonds-enfant")).status).toBe(404);
  const refused = await shop.post("/api/faq/plafonds-enfant/vote", { useful: true });
  expect([refused.status, await votes()]).toEqual([404, []]);
});

test("an answer bears one's own vote; said again, it replaces", async () => {
  const path = "/api/faq/carte-perdue";
  const first = (await guardian.get(path)).body;
  expect(first["useful"]).toBeNull();
  const related = first["related"] as { id: string; category: string }[];
  expect(related).toHaveLength(3);
  expect(related.map(({ id }) => id)).not.toContain("carte-perdue");
  expect((await guardian.post(`${path}/vote`, { useful: true })).body).toEqual({ useful: true });
  expect((await shop.get(path)).body["useful"]).toBeNull();
  await Promise.all([1, 2, 3].map(() => guardian.post(`${path}/vote`, { useful: false })));
  expect((await guardian.get(path)).body["useful"]).toBe(false);
  expect(await votes()).toEqual([{ articleId: "carte-perdue", useful: false }]);
});

test("an unknown question is not found, and no vote is kept", async () => {
  const before = await votes();
  for (const id of ["inconnue", "%20", "7", "A'; drop"]) {
    expect((await guardian.get(`/api/faq/${encodeURIComponent(id)}`)).status).toBe(404);
  }
  expect((await guardian.post("/api/faq/inconnue/vote", { useful: true })).status).toBe(404);
  const wrong = await guardian.post("/api/faq/carte-perdue/vote", { useful: "oui" });
  expect([wrong.status, wrong.body["code"]]).toEqual([400, "invalid_input"]);
  expect(await votes()).toEqual(before);
  expect((await server.anonymous.get("/api/faq")).status).toBe(401);
});
