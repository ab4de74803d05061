// The ways to a wallet's recharge. An installation without a payment provider offers it nowhere (spec.md 20).
import type { ComponentProps, ReactNode } from "react";
import { api } from "#contract/api.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ButtonLink } from "#web/ui/button.tsx";

/** Whether wallets are topped up online here. It is so until the portal has said otherwise. */
export function useTopUpOpen(): boolean {
  const { data } = useAnswer(api.portal.settings, {});
  return data?.payments !== "none";
}

/** « Recharger », where this wallet can be. */
export function TopUpLink({
  wallet,
  children = "Recharger",
  ...look
}: { wallet: Pick<Wallet, "objectID" | "slug" | "idgroup" | "frozen"> } & Omit<
  ComponentProps<typeof ButtonLink>,
  "href" | "children"
> & {
    children?: ReactNode;
  }) {
  const isOpen = useTopUpOpen();
  if (!isOpen || wallet.frozen) return null;
  return (
    <ButtonLink {...look} href={topUpPath(wallet)}>
      {children}
    </ButtonLink>
  );
}
