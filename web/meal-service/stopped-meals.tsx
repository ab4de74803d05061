// The meals that a bulk action left as they were, by name and with the reason.
import type { MealsActionResult } from "#contract/meal-service/follow-up.ts";
import { formatDayInWords, plural } from "#contract/french.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import styles from "./follow-up.module.css";

export function StoppedMeals({
  stopped,
  onRead,
}: {
  stopped: MealsActionResult["stopped"];
  onRead: () => void;
}) {
  return (
    <div className={styles.stopped}>
      <Banner
        tone="warning"
        alert
        title={plural(stopped.length, "repas laissé tel quel", "repas laissés tels quels")}
        actions={
          <Button size="small" onClick={onRead}>
            J’ai lu
          </Button>
        }
      >
        <ul>
          {stopped.map(({ order, name, day, why }) => (
            <li key={order}>
              <strong>{name}</strong>, {formatDayInWords(day)}
              {"\u202f"}: {why}
            </li>
          ))}
        </ul>
      </Banner>
    </div>
  );
}
