import { Skeleton } from "#web/ui/state.tsx";
import styles from "./card-hero.module.css";

/** The skeleton of the card while it is loading, of the same size. */
export const CardHeroSkeleton = () => (
  <div className={`${styles.cardHero} ${styles.cardHeroWait}`}>
    <Skeleton height="100%" />
  </div>
);
