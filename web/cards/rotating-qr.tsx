// The card's QR code: a signed token that lives sixty seconds and is replaced before the eyes
// (spec.md 24). It never holds the bare number.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { cards as limits } from "#contract/limits.ts";
import { keyOf, showing } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { Countdown } from "#web/ui/person.tsx";
import { PresentedCode } from "#web/ui/presented-code.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { QrSkeleton } from "./qr-skeleton.tsx";
import styles from "./card-hero.module.css";

export function RotatingQr({ cardnumber, holder }: { cardnumber: number; holder: string }) {
  const input = { cardnumber };
  const code = useQuery({
    queryKey: keyOf(api.cards.qr, input),
    queryFn: async ({ signal }) => {
      const answer = await call(api.cards.qr, input, { signal });
      // The token's whole life starts now: what differs from the device's clock is the clock's.
      const skewMs = Date.parse(answer.expiresAt) - limits.qrSeconds * 1000 - Date.now();
      return { ...answer, skewMs };
    },
    ...showing(api.cards.qr),
    // A token is shown for its own minute and never again.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (code.isError) {
    return <ErrorState title="Le QR code n’a pas pu être affiché." answer={code} />;
  }
  if (code.isPending) {
    return <QrSkeleton />;
  }
  const { token, expiresAt, skewMs } = code.data;
  return (
    <div>
      <div className={styles.qrNow} data-past={code.isFetching || undefined}>
        <PresentedCode text={token} label="QR code à présenter pour payer" holder={holder} />
      </div>
      <p className={styles.qrLife}>
        Nouveau code dans{" "}
        <Countdown until={expiresAt} skewMs={skewMs} onEnd={() => void code.refetch()} />
      </p>
    </div>
  );
}
