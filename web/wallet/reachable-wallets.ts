// The wallets that a person reaches: those of the current card and those of the children.
import { useQueries } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { formatCardnumber, ofName } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { answerOptions, useAnswer } from "#web/app/transport/answers.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { useUser } from "#web/app/transport/use-observed.ts";

/** A card with its wallets; `wallets` is null while they load or when they could not be read. */
export interface CardWallets {
  cardnumber: number;
  /** Null while the list of cards does not have it. */
  card: Card | null;
  wallets: readonly Wallet[] | null;
  problem: ApiProblem | null;
}

export interface Reachable {
  /** The current card first, then the children. */
  cards: readonly CardWallets[];
  pending: boolean;
  fetching: boolean;
  /** The list of cards could not be read: the children's wallets may be missing. */
  problem: ApiProblem | null;
  retry: () => void;
}

/** Reads them all; a card without any wallet is one with an empty list, not a problem. */
export function useReachableWallets(): Reachable {
  const user = useUser();
  const list = useAnswer(api.cards.list, {});
  const known = list.data?.items ?? [];
  const own = known.find(({ cardnumber }) => cardnumber === user.cardnumber) ?? null;
  // While acting for a child one's own wallets are still reached, after the child's.
  const children = known.filter(
    ({ relation }) => relation === "child" || (relation === "self" && user.previousCardnumber > 0),
  );
  const owners = [
    { cardnumber: user.cardnumber, card: own },
    ...children
      .filter(({ cardnumber }) => cardnumber !== user.cardnumber)
      .map((card) => ({ cardnumber: card.cardnumber, card })),
  ];
  const answers = useQueries({
    queries: owners.map(({ cardnumber }) =>
      answerOptions(api.wallet.publicServices, { cardnumber }),
    ),
  });
  const cards = owners.map(({ cardnumber, card }, index): CardWallets => {
    const answer = answers[index];
    const none = answer?.error?.code === "not_found";
    return {
      cardnumber,
      card,
      wallets: none ? [] : (answer?.data?.data ?? null),
      problem: none ? null : (answer?.error ?? null),
    };
  });
  return {
    cards,
    pending: list.isPending || answers.some(({ isPending }) => isPending),
    fetching: list.isFetching || answers.some(({ isFetching }) => isFetching),
    problem: list.error,
    retry: () => {
      if (list.isError) void list.refetch();
      for (const answer of answers) if (answer.isError) void answer.refetch();
    },
  };
}

export interface Found {
  wallet: Wallet | null;
  /** The card that it belongs to, null while unknown. */
  card: Card | null;
  pending: boolean;
  problem: ApiProblem | null;
  fetching: boolean;
  retry: () => void;
}

/**
 * A wallet by its public id. It is found as soon as its own list is there; that it does not exist is
 * only said when every list was read: then `wallet`, `problem` are null and nothing is pending.
 */
export function useWallet(objectID: string): Found {
  const { cards, pending, problem, fetching, retry } = useReachableWallets();
  for (const { card, wallets } of cards) {
    const wallet = wallets?.find((one) => one.objectID === objectID);
    if (wallet) return { wallet, card, pending: false, problem: null, fetching, retry };
  }
  const unread = problem ?? cards.find((one) => one.problem)?.problem ?? null;
  return { wallet: null, card: null, pending, problem: pending ? null : unread, fetching, retry };
}

/** Which wallet of which card: what stands under the title of its screens. Dots end lines. */
export const walletLead = (wallet: Wallet, card: Card | null): string =>
  [wallet.name, cardLead(wallet, card)].join(dot);

/** Whose card it is, with its number: what stands under the name of a wallet. */
export const cardLead = ({ cardnumber }: Pick<Wallet, "cardnumber">, card: Card | null): string =>
  [ownerName(card), formatCardnumber(cardnumber).replaceAll(" ", hard)].join(dot);

const hard = "\u00a0";
const dot = `${hard}· `;

/** « Ma carte » or « Carte de Léo Moreau ». */
export const ownerName = (card: Card | null): string =>
  card?.relation === "child" ? `Carte ${ofName(card.name)}` : "Ma carte";
