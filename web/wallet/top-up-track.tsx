// The states that a top-up goes through, and where this one stands.
import { type TopUp, type TopUpState, topUpStateNames } from "#contract/payments/rows.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import styles from "./top-up.module.css";

const usual: readonly TopUpState[] = ["initiated", "authorized", "credited"];

/** The way that led to each state; what is still to come follows it. */
const ways: Readonly<Record<TopUpState, readonly TopUpState[]>> = {
  initiated: usual,
  authorized: usual,
  credited: usual,
  declined: ["initiated", "declined"],
  review: ["initiated", "review"],
  refunded: [...usual, "refunded"],
  disputed: [...usual, "disputed"],
};

const icons: Partial<Record<TopUpState, IconName>> = {
  declined: "close",
  review: "search",
  refunded: "refresh",
  disputed: "lock",
};

export function TopUpTrack({ topUp: { state } }: { topUp: Pick<TopUp, "state"> }) {
  const way = ways[state];
  const now = way.indexOf(state);
  const over = state !== "initiated" && state !== "authorized";
  return (
    <ol className={styles.track} aria-label="Suivi de la recharge">
      {way.map((step, index) => {
        const done = index < now || (index === now && over);
        const said = done ? "Fait : " : index === now ? "En cours : " : "À venir : ";
        return (
          <li
            key={step}
            className={styles.trackStep}
            data-state={done ? "done" : index === now ? "now" : "todo"}
            data-end={icons[step] ? step : undefined}
            aria-current={index === now ? "step" : undefined}
          >
            <span className={styles.trackDot}>
              {done && <Icon name={icons[step] ?? "check"} size={16} />}
            </span>
            <span>
              <span className="unseen">{said}</span>
              {topUpStateNames[step]}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
