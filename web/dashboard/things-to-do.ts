// What the dashboard asks of the person, most pressing first. Pure: the screen brings the facts.
import { type Card, cardCan, type CardState } from "#contract/cards.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import type { User } from "#contract/identity.ts";
import { money } from "#contract/limits.ts";
import type { Wallet } from "#contract/wallet.ts";

export interface ToDo {
  key: string;
  tone: "info" | "warning" | "danger";
  title: string;
  text: string;
  /** What the button does, null where there is nothing to do but know. */
  act:
    | { kind: "resume" }
    | { kind: "activate"; cardnumber: number }
    | { kind: "subscription" }
    | { kind: "topUp" }
    | { kind: "profile" }
    | null;
}

interface Facts {
  user: Pick<User, "type" | "subExp" | "email" | "phonenumber">;
  /** The person's own card, null while it is not known. */
  card: Card | null;
  wallets: readonly Wallet[];
  now: Date;
  /** The card is a child's, for whom the person acts: account and subscription are not looked at. */
  acting?: boolean;
}

const dayMs = 86_400_000;
/** An end is told this long ahead. */
const noticeMs = 30 * dayMs;
/** A wallet that runs out this soon is told of. */
const emptySoonMs = 7 * dayMs;

const onItsWay: Partial<Record<CardState, string>> = {
  requested: "Elle est demandée. Nous vous dirons quand elle partira.",
  approved: "Elle est acceptée et partira bientôt en fabrication.",
  in_production: "Elle est en fabrication. Nous vous dirons quand elle partira.",
};

/** The list for the dashboard; empty when all is well. */
export function thingsToDo({ user, card, wallets, now, acting = false }: Facts): ToDo[] {
  const ofTheCard = [
    ...aboutCard(card),
    ...wallets.flatMap((wallet) => aboutWallet(wallet, user.type, now)),
  ];
  if (acting) return ofTheCard.map(aboutTheChild);
  return [...ofTheCard, ...aboutSubscription(user, now), ...aboutContact(user)];
}

const childWords: readonly (readonly [RegExp, string])[] = [
  [/^Votre /, "Sa "],
  [/^Il vous reste/, "Il lui reste"],
  [/\bvotre carte\b/, "cette carte"],
  [/\bvos (réservations|dépenses)\b/g, "ses $1"],
];

/** The same, said of a child's card. */
function aboutTheChild(todo: ToDo): ToDo {
  const said = (text: string) =>
    childWords.reduce((words, [before, after]) => words.replace(before, after), text);
  return { ...todo, title: said(todo.title), text: said(todo.text) };
}

function aboutCard(card: Card | null): ToDo[] {
  if (!card) return [];
  if (card.state === "suspended") {
    return [
      {
        key: "suspended",
        tone: "warning",
        title: "Votre carte est suspendue",
        text: "Elle ne paie plus rien tant que vous ne la réactivez pas.",
        act: { kind: "resume" },
      },
    ];
  }
  if (cardCan.activate(card)) return [activation(card.cardnumber, "Votre carte est partie")];
  if (onItsWay[card.state]) return [waiting("Votre carte est en préparation", card.state)];
  return card.replacement ? aboutReplacement(card.replacement) : [];
}

function aboutReplacement(replacement: NonNullable<Card["replacement"]>): ToDo[] {
  if (cardCan.activate(replacement)) {
    return [activation(replacement.cardnumber, "Votre nouvelle carte est partie")];
  }
  if (!onItsWay[replacement.state]) return [];
  return [waiting("Votre nouvelle carte se prépare", replacement.state)];
}

const activation = (cardnumber: number, title: string): ToDo => ({
  key: "activate",
  tone: "info",
  title,
  text: "Dès qu’elle est dans vos mains, activez-la pour vous en servir.",
  act: { kind: "activate", cardnumber },
});

const waiting = (title: string, state: CardState): ToDo => ({
  key: "waiting",
  tone: "info",
  title,
  text: onItsWay[state] ?? "",
  act: null,
});

function aboutWallet(wallet: Wallet, type: User["type"], now: Date): ToDo[] {
  const told: ToDo[] = [];
  if (wallet.frozen) {
    told.push({
      key: `frozen-${wallet.objectID}`,
      tone: "danger",
      title: `${wallet.name}\u00a0: paiements bloqués`,
      text: "Un paiement est contesté. La cagnotte ne peut rien payer le temps de le vérifier.",
      act: null,
    });
  } else if (wallet.main && type === 1) told.push(...aboutBalance(wallet, now));
  const soon = wallet.lots.filter(
    ({ expiresOn, balanceCents }) =>
      expiresOn !== null && balanceCents > 0 && Date.parse(expiresOn) - now.getTime() < noticeMs,
  );
  for (const { label, balanceCents, expiresOn } of soon) {
    told.push({
      key: `lot-${wallet.objectID}-${label}-${expiresOn}`,
      tone: "info",
      title: `${formatMoney(balanceCents)} à utiliser avant le ${formatDate(expiresOn ?? "")}`,
      text: `${label}\u00a0: ce qui reste après cette date est perdu.`,
      act: null,
    });
  }
  return told;
}

function aboutBalance(wallet: Wallet, now: Date): ToDo[] {
  const { projectedCents, emptyOn } = wallet;
  if (projectedCents < money.topUpMinCents) {
    return [
      {
        key: "low",
        tone: "warning",
        title: projectedCents <= 0 ? "Votre cagnotte est vide" : "Votre cagnotte est presque vide",
        text:
          projectedCents <= 0
            ? "Rechargez-la pour continuer à payer avec votre carte."
            : `Il vous reste ${formatMoney(projectedCents)} à dépenser.`,
        act: { kind: "topUp" },
      },
    ];
  }
  if (emptyOn !== null && Date.parse(emptyOn) - now.getTime() < emptySoonMs) {
    return [
      {
        key: "low",
        tone: "warning",
        title: `Votre cagnotte sera vide le ${formatDate(emptyOn)}`,
        text: "C’est ce que donnent vos réservations et vos dépenses des quatre dernières semaines.",
        act: { kind: "topUp" },
      },
    ];
  }
  return [];
}

function aboutSubscription(user: Facts["user"], now: Date): ToDo[] {
  if (user.subExp === 0) return [];
  const endsAt = user.subExp * 1000;
  const day = formatDate(new Date(endsAt));
  // A professional's is renewed with us.
  const act: ToDo["act"] = user.type === 1 ? { kind: "subscription" } : null;
  if (endsAt <= now.getTime()) {
    return [
      {
        key: "subscription",
        tone: "warning",
        title: "Votre abonnement est terminé",
        text: `Il a pris fin le ${day}.`,
        act,
      },
    ];
  }
  if (endsAt - now.getTime() > noticeMs) return [];
  return [
    {
      key: "subscription",
      tone: "warning",
      title: "Votre abonnement se termine bientôt",
      text: `Il prend fin le ${day}.`,
      act,
    },
  ];
}

function aboutContact({ email, phonenumber }: Facts["user"]): ToDo[] {
  if (email ?? phonenumber) return [];
  return [
    {
      key: "contact",
      tone: "info",
      title: "Nous ne pouvons pas vous joindre",
      text: "Aucune adresse ni aucun téléphone n’est enregistré pour vous envoyer un code.",
      act: { kind: "profile" },
    },
  ];
}
