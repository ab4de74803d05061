// The first step of a top-up over « Ma carte »; its payment is followed on the page of the wallet.
import { api } from "#contract/api.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useStartTopUp } from "./start-top-up.ts";
import { isClosed, PaymentsOff, TopUpClosed } from "./top-up-closed.tsx";
import { ReadingTopUp, TopUpStep } from "./top-up-step.tsx";

export function TopUpInDialog({ wallet }: { wallet: Wallet }) {
  const settings = useAnswer(api.portal.settings, {});
  const starting = useStartTopUp(wallet.objectID, topUpPath(wallet));
  if (settings.isPending) return <ReadingTopUp />;
  if (settings.data?.payments === "none") {
    return <PaymentsOff phone={settings.data.supportPhone} />;
  }
  if (isClosed(wallet)) return <TopUpClosed wallet={wallet} />;
  return <TopUpStep wallet={wallet} amountCents={null} starting={starting} />;
}
