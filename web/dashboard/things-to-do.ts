// What the dashboard asks of the person, the worst harm of waiting first. Pure: the screen brings the facts.
import { type Card, cardCan, type CardState } from "#contract/cards/rows.ts";
import { dayMs } from "#contract/days.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import type { User } from "#contract/identity/rows.ts";
import type { Home } from "#contract/portal/home.ts";
import { money } from "#contract/limits.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { isEmptySoon } from "#web/wallet/empty-soon.ts";
import { aboutChildren, aboutHome } from "./home-to-dos.ts";
import { harms, type RankedToDo, type ToDo } from "./to-do.ts";
import { toGuardian, toHolder, toMinor, topUpElsewhere, type ToDoWords } from "./to-do-words.ts";

interface Facts {
  user: Pick<User, "type" | "subExp" | "email" | "phonenumber">;
  /** The person's own card, null while it is not known. */
  card: Card | null;
  wallets: readonly Wallet[];
  /** What the server says waits for the person; null while it is not known. */
  home?: Pick<Home, "toDos" | "children"> | null;
  now: Date;
  /** The card is a child's, for whom the person acts: account and subscription are not looked at. */
  acting?: boolean;
  /** Whether wallets are topped up here; where none is, nobody is asked to. */
  takesMoney?: boolean;
  /** Whoever has a guardian cannot resume their own card. */
  minor?: boolean;
}

/** An end is announced this long ahead. */
const noticeMs = 30 * dayMs;

const onItsWay: Partial<Record<CardState, string>> = {
  requested: "Elle est demandée. Nous vous dirons quand elle partira.",
  approved: "Elle est acceptée et partira bientôt en fabrication.",
  in_production: "Elle est en fabrication. Nous vous dirons quand elle partira.",
};

/** The list for the dashboard; empty when all is well. */
export function thingsToDo(facts: Facts): RankedToDo[] {
  const { user, card, wallets, home, now, acting, minor, takesMoney = true } = facts;
  const words = acting ? toGuardian : minor ? toMinor : toHolder;
  const moneyWords = takesMoney ? words : { ...words, topUp: topUpElsewhere };
  const list = [
    ...aboutCard(card, words),
    ...wallets.flatMap((wallet) => aboutWallet(wallet, user.type, now, moneyWords)),
    ...aboutChildren(home?.children ?? [], takesMoney),
    ...aboutHome(home?.toDos ?? []),
    ...(acting ? [] : [...aboutSubscription(user, now), ...aboutContact(user)]),
    ...wallets.flatMap((wallet) => (wallet.frozen ? [] : aboutLots(wallet, now))),
  ];
  return list.toSorted((one, other) => harms.indexOf(one.harm) - harms.indexOf(other.harm));
}

function aboutCard(card: Card | null, words: ToDoWords): RankedToDo[] {
  if (!card) return [];
  if (card.state === "suspended") {
    return [
      {
        key: "suspended",
        harm: "blocked",
        tone: "warning",
        title: words.suspended,
        text: words.resume,
        act: words === toMinor ? null : { kind: "resume" },
      },
    ];
  }
  if (cardCan.activate(card)) return [activation(card.cardnumber, words.shipped, words)];
  if (onItsWay[card.state]) return [waiting(words.preparing, card.state)];
  return card.replacement ? aboutReplacement(card, card.replacement, words) : [];
}

function aboutReplacement(
  card: Card,
  replacement: NonNullable<Card["replacement"]>,
  words: ToDoWords,
): RankedToDo[] {
  if (cardCan.activate(replacement)) {
    return [activation(replacement.cardnumber, words.replacementShipped, words)];
  }
  if (!onItsWay[replacement.state]) return [];
  const toDo = waiting(words.replacementPreparing, replacement.state);
  return [cardCan.spend(card) ? { ...toDo, text: `${toDo.text} ${words.meanwhile}` } : toDo];
}

const activation = (cardnumber: number, title: string, words: ToDoWords): RankedToDo => ({
  key: "activate",
  harm: "blocked",
  tone: "info",
  title,
  text: words.activate,
  act: { kind: "activate", cardnumber },
});

const waiting = (title: string, state: CardState): RankedToDo => ({
  key: "waiting",
  harm: "none",
  tone: "info",
  title,
  text: onItsWay[state] ?? "",
  act: null,
});

function aboutWallet(
  wallet: Wallet,
  type: User["type"],
  now: Date,
  words: ToDoWords,
): RankedToDo[] {
  if (wallet.frozen) {
    return [
      {
        key: `frozen-${wallet.objectID}`,
        harm: "blocked",
        tone: "danger",
        title: `${wallet.name}\u00a0: paiements bloqués`,
        text: "Un paiement est contesté. La cagnotte ne peut rien payer le temps de le vérifier.",
        act: null,
      },
    ];
  }
  return wallet.main && type === 1 ? aboutBalance(wallet, now, words) : [];
}

/** Money that is lost unless it is spent soon. */
function aboutLots(wallet: Wallet, now: Date): RankedToDo[] {
  const soon = wallet.lots.filter(
    ({ expiresOn, balanceCents }) =>
      expiresOn !== null && balanceCents > 0 && Date.parse(expiresOn) - now.getTime() < noticeMs,
  );
  return soon.map(({ label, balanceCents, expiresOn }) => ({
    key: `lot-${wallet.objectID}-${label}-${expiresOn}`,
    harm: "expires",
    tone: "info",
    title: `${formatMoney(balanceCents)} à utiliser avant le ${formatDate(expiresOn ?? "")}`,
    text: `${label}\u00a0: ce qui reste après cette date est perdu.`,
    act: null,
  }));
}

function aboutBalance(wallet: Wallet, now: Date, words: ToDoWords): RankedToDo[] {
  const { projectedCents, emptyOn } = wallet;
  if (projectedCents < money.topUpMinCents) {
    return [
      {
        key: "low",
        harm: "blocked",
        tone: "warning",
        title: projectedCents <= 0 ? words.empty : words.almostEmpty,
        text: projectedCents <= 0 ? words.topUp : words.left(projectedCents),
        act: { kind: "topUp" },
      },
    ];
  }
  if (isEmptySoon(emptyOn, now)) {
    return [
      {
        key: "low",
        harm: "blocked",
        tone: "warning",
        title: words.emptyOn(emptyOn),
        text: words.projected,
        act: { kind: "topUp" },
      },
    ];
  }
  return [];
}

function aboutSubscription(user: Facts["user"], now: Date): RankedToDo[] {
  if (user.subExp === 0) return [];
  const endsAt = user.subExp * 1000;
  const day = formatDate(new Date(endsAt));
  // A professional's is renewed with us.
  const act: ToDo["act"] = user.type === 1 ? { kind: "subscription" } : null;
  const over = endsAt <= now.getTime();
  if (endsAt - now.getTime() > noticeMs) return [];
  return [
    {
      key: "subscription",
      harm: "rights",
      tone: "warning",
      title: `Votre abonnement ${over ? "est terminé" : "se termine bientôt"}`,
      text: `Il ${over ? "a pris" : "prend"} fin le ${day}.`,
      act,
    },
  ];
}

function aboutContact({ email, phonenumber }: Facts["user"]): RankedToDo[] {
  if (email ?? phonenumber) return [];
  return [
    {
      key: "contact",
      harm: "rights",
      tone: "info",
      title: "Nous ne pouvons pas vous joindre",
      text: "Aucune adresse ni aucun téléphone n’est enregistré pour vous envoyer un code.",
      act: { kind: "profile" },
    },
  ];
}
