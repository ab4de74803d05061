import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./card-hero.module.css";

/** The skeleton of the QR code while it is prepared, of the same size. */
export const QrSkeleton = () => (
  <Loading label="Préparation du QR code…">
    <div className={styles.qrFrame}>
      <Skeleton height="100%" />
    </div>
    <p className={styles.qrLife}>Préparation…</p>
  </Loading>
);
