import { describe, expect, test } from "vitest";
import { paymentOptions, chosenOption } from "./payment-options.ts";
import type { WalletBalance } from "./wallet-balances.ts";

const group = 7;
interface Money {
  id: string;
  cents: number;
  main?: boolean;
  of?: number;
  limitCents?: number;
}

/** How these wallets pay an amount: each alone, or with a card for the rest where it has a cent. */
const balancesOf = (wallets: readonly Money[]) => (totalCents: number) =>
  wallets.map(({ id, cents, main = false, of, limitCents }): WalletBalance => {
    const limited = limitCents !== undefined && limitCents < totalCents;
    return {
      wallet: {
        objectID: id,
        main,
        idgroup: main ? 1 : group,
        frozen: false,
        spendLimitCents: limitCents ?? null,
      } as WalletBalance["wallet"],
      label: id,
      child: of === undefined ? null : { cardnumber: of, name: id },
      hint: "",
      canPay: cents > 0,
      limited,
      mainCents: 0,
      cardCents: Math.max(0, totalCents - cents),
    };
  });
const meals = (jadeCents: number, leoCents: number) => ({
  totalCents: jadeCents + leoCents,
  idgroup: group,
  cardnumbers: [1, 2],
  parts: [
    { cardnumber: 1, totalCents: jadeCents },
    { cardnumber: 2, totalCents: leoCents },
  ],
});
const own = { id: "own", cents: 1000, main: true };
const jade = { id: "jade", cents: 500, of: 1 };
const leo = { id: "leo", cents: 500, of: 2 };
const proposed = (wallets: readonly Money[], purchase = meals(300, 200)) =>
  chosenOption(paymentOptions(balancesOf(wallets), purchase, "stripe"), null);

describe("meals of two children", () => {
  test("each child's own wallet pays its meals", () => {
    expect(proposed([own, jade, leo])).toMatchObject({
      cardCents: 0,
      request: { method: "wallet", objectID: "own", ownWallets: ["jade", "leo"] },
      shares: [
        { label: "jade", amountCents: 300 },
        { label: "leo", amountCents: 200 },
      ],
    });
  });

  test("what a child's wallet lacks is paid whole by one's own money", () => {
    expect(proposed([own, jade, { ...leo, cents: 100 }])).toMatchObject({
      request: { method: "wallet", objectID: "own", ownWallets: ["jade"] },
      shares: [
        { label: "jade", amountCents: 300 },
        { label: "own", amountCents: 200 },
      ],
    });
  });

  test("a wallet beyond its limits is left out", () => {
    expect(proposed([own, jade, { ...leo, limitCents: 100 }])?.request).toMatchObject({
      objectID: "own",
      ownWallets: ["jade"],
    });
  });

  test("a bank card completes one's own money, or pays the rest where there is none", () => {
    const short = { ...own, cents: 50 };
    expect(proposed([short, jade])).toMatchObject({
      cardCents: 150,
      request: { method: "both", objectID: "own", cardCents: 150, ownWallets: ["jade"] },
    });
    expect(proposed([{ ...own, cents: 0 }, jade])).toMatchObject({
      cardCents: 200,
      request: { method: "provider", objectID: "own", ownWallets: ["jade"] },
    });
  });

  test("a meal that is free keeps nobody else's own wallet from paying", () => {
    expect(proposed([own, jade], meals(300, 0))?.request).toEqual({
      method: "wallet",
      objectID: "jade",
    });
    const three = { ...meals(300, 200), cardnumbers: [1, 2, 3] };
    three.parts = [...three.parts, { cardnumber: 3, totalCents: 0 }];
    expect(proposed([own, jade, leo], three)?.request).toMatchObject({
      objectID: "own",
      ownWallets: ["jade", "leo"],
    });
  });

  test("a rest that no card takes is not left to one", () => {
    const purchase = meals(300, 20);
    expect(proposed([{ ...own, cents: 0 }, jade], purchase)?.request.ownWallets).toBe(undefined);
  });

  test("without a child's own wallet one's own money pays all, and nothing is shared", () => {
    const { options } = paymentOptions(balancesOf([own]), meals(300, 200), "stripe");
    expect(options.map(({ value }) => value)).toEqual(["own", "card"]);
    expect(proposed([own])?.request).toEqual({ method: "wallet", objectID: "own" });
  });
});

test("what was picked and can no longer pay is not replaced unseen", () => {
  const purchase = { totalCents: 200, idgroup: group, cardnumbers: [2] };
  const offered = (limitCents: number) =>
    paymentOptions(balancesOf([own, { ...leo, limitCents }]), purchase, "stripe");
  expect(chosenOption(offered(500), "leo")?.value).toBe("leo");
  expect(chosenOption(offered(100), "leo")).toBe(null);
  expect(chosenOption(offered(100), null)?.value).toBe("own");
});

test("what cannot pay, or would be refused, is no option and says why", () => {
  const { options, closed, first } = paymentOptions(
    balancesOf([
      { ...own, cents: 0 },
      { ...leo, limitCents: 100 },
    ]),
    { totalCents: 200, idgroup: group, cardnumbers: [2] },
    "none",
  );
  expect({ options, first }).toEqual({ options: [], first: null });
  expect(closed).toMatchObject([
    { label: "own", limited: false },
    { label: "leo", limited: true },
  ]);
});
