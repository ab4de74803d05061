import { Loading, Skeleton } from "#web/ui/state.tsx";

/** The place of the QR code while it is prepared, of the same size. */
export const QrWait = () => (
  <Loading label="Préparation du QR code…">
    <div className="qr-frame">
      <Skeleton height="100%" />
    </div>
    <p className="qr-life">Préparation…</p>
  </Loading>
);
