import { describe, expect, test } from "vitest";
import type { Card } from "#contract/cards/rows.ts";
import type { ToDoKind, ToDoView } from "#contract/portal/home.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { addDays, todayInParis } from "#contract/days.ts";
import { aboutHome } from "./home-to-dos.ts";
import { aboutProfessional } from "./professional-to-dos.ts";
import { thingsToDo } from "./things-to-do.ts";

const now = new Date("2026-11-21T09:00:00Z");
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const dayIn = (days: number) => inDays(days).toISOString().slice(0, 10);

const card: Card = {
  cardnumber: 1_000_000_016,
  name: "Camille Moreau",
  relation: "self",
  state: "active",
  atf: 1,
  validUntil: "2029-08-31",
  canResume: true,
  replacement: null,
};
const wallet: Wallet = {
  objectID: "11111111-1111-4111-8111-111111111111",
  name: "Cagnotte principale",
  slug: "principale",
  idgroup: 1,
  main: true,
  cardnumber: card.cardnumber,
  balanceCents: 12_000,
  heldCents: 0,
  projectedCents: 12_000,
  sendableCents: 12_000,
  spendLimitCents: null,
  sendLimitCents: null,
  emptyOn: null,
  frozen: false,
  topUpMinCents: 500,
  topUpMaxCents: 50_000,
  capCents: 100_000,
  roomCents: 88_000,
  lots: [],
  rule: "Acceptée partout.",
};
const user: Parameters<typeof thingsToDo>[0]["user"] = {
  type: 1,
  subExp: 0,
  email: "camille@exemple.fr",
  phonenumber: null,
};
const list = (changed: {
  card?: Partial<Card>;
  wallet?: Partial<Wallet>;
  user?: Partial<typeof user>;
}) =>
  thingsToDo({
    user: { ...user, ...changed.user },
    card: { ...card, ...changed.card },
    wallets: [{ ...wallet, ...changed.wallet }],
    now,
  }).map(({ title, act }) => [title, act?.kind ?? null]);

describe("things to do", () => {
  test("nothing when all is well, nor while nothing is known", () => {
    expect(list({})).toEqual([]);
    expect(thingsToDo({ user, card: null, wallets: [], now })).toEqual([]);
  });

  test("a suspended card can be resumed, an opposed one waits for its replacement", () => {
    expect(list({ card: { state: "suspended" } })).toEqual([
      ["Votre carte est suspendue", "resume"],
    ]);
    const replacement = { cardnumber: 1_000_000_081, state: "in_production" } as const;
    expect(list({ card: { state: "opposed", replacement } })).toEqual([
      ["Votre nouvelle carte se prépare", null],
    ]);
    const shipped = { ...replacement, state: "shipped" } as const;
    expect(list({ card: { state: "opposed", replacement: shipped } })).toEqual([
      ["Votre nouvelle carte est partie", "activate"],
    ]);
    expect(
      list({ card: { state: "opposed", replacement: { ...shipped, state: "active" } } }),
    ).toEqual([]);
  });

  test("a low balance, an empty one, and one that runs out within a week ask for a top-up", () => {
    expect(list({ wallet: { projectedCents: 499 } })[0]?.[0]).toBe(
      "Votre cagnotte est presque vide",
    );
    expect(list({ wallet: { projectedCents: 500 } })).toEqual([]);
    expect(list({ wallet: { projectedCents: 0 } })).toEqual([["Votre cagnotte est vide", "topUp"]]);
    expect(list({ wallet: { emptyOn: dayIn(3) } })).toEqual([
      ["Votre cagnotte sera vide vers le 24/11/2026", "topUp"],
    ]);
    expect(list({ wallet: { emptyOn: dayIn(20) } })).toEqual([]);
    expect(list({ wallet: { projectedCents: 0 }, user: { type: 2 } })).toEqual([]);
  });

  test("a frozen wallet says so and no longer asks for money", () => {
    expect(list({ wallet: { frozen: true, projectedCents: 0 } })).toEqual([
      ["Cagnotte principale\u00a0: paiements bloqués", null],
    ]);
  });

  test("granted money that expires within a month is told, with its last day", () => {
    const lot = { kind: "granted", label: "Aide cantine", balanceCents: 1500 } as const;
    expect(list({ wallet: { lots: [{ ...lot, expiresOn: dayIn(12) }] } })[0]?.[0]).toContain(
      "à utiliser avant le 03/12/2026",
    );
    expect(list({ wallet: { lots: [{ ...lot, expiresOn: dayIn(60) }] } })).toEqual([]);
    expect(list({ wallet: { lots: [{ ...lot, balanceCents: 0, expiresOn: dayIn(12) }] } })).toEqual(
      [],
    );
  });

  test("a subscription is told of thirty days ahead, and once it is over", () => {
    const at = (days: number) => inDays(days).getTime() / 1000;
    expect(list({ user: { subExp: at(31) } })).toEqual([]);
    const soon = ["Votre abonnement se termine bientôt", "subscription"];
    expect(list({ user: { subExp: at(29) } })).toEqual([soon]);
    const over = ["Votre abonnement est terminé", "subscription"];
    expect(list({ user: { subExp: at(-1) } })).toEqual([over]);
    expect(list({ user: { type: 2, subExp: at(-1) } })[0]?.[1]).toBeNull();
  });

  test("a person whom no code can reach is sent to their profile", () => {
    expect(list({ user: { email: null } })).toEqual([
      ["Nous ne pouvons pas vous joindre", "profile"],
    ]);
  });
});

test("acting for a child: the child's card and wallet, in words of the child; nothing of one's own account", () => {
  const suspended: Card = { ...card, relation: "child", state: "suspended", atf: 0 };
  const poor = { ...wallet, projectedCents: 120, emptyOn: null };
  const toDos = thingsToDo({
    user: { ...user, subExp: 1, email: null, phonenumber: null },
    card: suspended,
    wallets: [poor],
    now,
    acting: true,
  });
  expect(toDos.map(({ title }) => title)).toEqual([
    "Sa carte est suspendue",
    "Sa cagnotte est presque vide",
  ]);
  expect(toDos[1]?.text).toMatch(/^Il lui reste/);
  const shipped: Card = { ...suspended, state: "shipped" };
  const emptying = { ...wallet, emptyOn: dayIn(3) };
  const soon = thingsToDo({ user, card: shipped, wallets: [emptying], now, acting: true });
  expect(soon.map(({ title, text }) => `${title}. ${text}`)).toEqual([
    "Sa carte est partie. Dès qu’elle est dans vos mains, activez-la pour qu’elle serve.",
    "Sa cagnotte sera vide vers le 24/11/2026. C’est ce que donnent ses réservations et ses dépenses des quatre dernières semaines.",
  ]);
});

test("what waits at the server comes with the worst harm first, a line and a way each", () => {
  const one = (kind: ToDoKind, more: Partial<ToDoView> = {}): ToDoView => ({
    kind,
    id: kind,
    cardnumber: 1_000_000_024,
    name: "Léo Moreau",
    own: false,
    from: "Hugo Petit",
    what: "Marées",
    until: null,
    path: "/ici",
    ...more,
  });
  const theirs = { objectID: "o", slug: "principale", idgroup: 1, frozen: false };
  const toDos = thingsToDo({
    user,
    card,
    wallets: [],
    now,
    home: {
      toDos: [
        one("pass_order", { what: "Mensuel" }),
        one("proof_refused", { what: "identity" }),
        one("ticket_received", { from: "Inès Roux" }),
        one("meal_offered", { what: "2027-03-09", path: "/commande/cantine/repas/4" }),
        one("invitation", { own: true }),
        one("money_request", { from: null, what: "1000 Pour le cinéma" }),
      ],
      children: [
        {
          cardnumber: 1_000_000_024,
          name: "Léo Moreau",
          state: "active",
          avatar: null,
          wallet: { ...theirs, balanceCents: 320, projectedCents: 320 },
        },
        {
          cardnumber: 1_000_000_032,
          name: "Jade Moreau",
          state: "active",
          avatar: null,
          wallet: { ...theirs, balanceCents: 500, projectedCents: 500 },
        },
      ],
    },
  });
  expect(
    toDos.map(({ title, text, act }) => [title, text, act?.kind === "go" ? act.label : null]),
  ).toEqual([
    ["Léo demande 10,00\u202f€", "«\u00a0Pour le cinéma\u00a0»", null],
    ["Cagnotte de Léo", "Il reste 3,20\u202f€", "Recharger"],
    ["Place libérée à la cantine", "09/03/2027 · Léo", "Commander"],
    ["Justificatif refusé", "Identité · Léo", "Renvoyer"],
    ["Billet d’Inès", "Marées · Léo", "Répondre"],
    ["Invitation de Hugo Petit", "Famille", "Répondre"],
    ["Achat à terminer", "Mensuel · Léo", "Reprendre"],
  ]);
});

test("a deadline near today is told as people say it", () => {
  const inDaysFromToday = (days: number) => `${addDays(todayInParis(), days)}T12:00:00Z`;
  const textOf = (until: string) =>
    aboutHome([
      {
        kind: "proof_ending",
        id: "1",
        cardnumber: card.cardnumber,
        name: card.name,
        own: true,
        from: null,
        what: "home",
        until,
        path: "/ici",
      },
    ])[0]?.text;
  expect(textOf(inDaysFromToday(0))).toBe("Domicile · jusqu’à aujourd’hui");
  expect(textOf(inDaysFromToday(1))).toBe("Domicile · jusqu’à demain");
  expect(textOf(inDaysFromToday(3))).toMatch(/^Domicile · jusqu’au /);
  const [bank] = aboutProfessional([
    { kind: "bank_change", id: "1", count: 1, what: "Ana", day: addDays(todayInParis(), 1) },
  ]);
  expect(bank?.text).toBe("Changement demandé par Ana · jusqu’à demain");
});
