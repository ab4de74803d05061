// The QR code of a pass, large. It is valid until the pass ends, is suspended or replaced, so the one
// read last is shown while the network does not answer.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { answerOptions } from "#web/app/transport/answers.ts";
import { QrCode } from "#web/ui/qr.tsx";
import { Loaded, Skeleton } from "#web/ui/state.tsx";
import styles from "./passes.module.css";

export function PassQr({ id }: { id: string }) {
  const code = useQuery({
    ...answerOptions(api.passes.qr, { pass: id }),
    staleTime: 0,
    gcTime: 24 * 3_600_000,
  });
  return (
    <Loaded answer={code} {...passQrWait} failed="Le QR code n’a pas pu être affiché.">
      {({ token }) => (
        <div className={styles.passQr}>
          <QrCode text={token} label="QR code du titre, à présenter à bord" />
        </div>
      )}
    </Loaded>
  );
}

/** The place of the code. */
export const passQrWait = {
  label: "Préparation du QR code…",
  skeleton: (
    <div className={styles.passQr}>
      <Skeleton height="100%" />
    </div>
  ),
};
