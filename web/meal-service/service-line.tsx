// Which service the counter is at, how far it is, how old the list, and what waits for the network.
import { useState } from "react";
import { isServing } from "#contract/kitchen/service-day.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { formatTime, plural } from "#contract/french.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { OfflineLine } from "#web/ui/offline-line.tsx";
import { Stack } from "#web/ui/stack.tsx";
import type { CanteenTimes } from "./opening-canteen.ts";
import { storedScans } from "./scan-queue.ts";
import styles from "./counter.module.css";

/** `canteens` are those that may be chosen: none without network. */
export function ServiceLine({
  list,
  canteens,
  now,
  cut,
  onCanteen,
}: {
  list: DayList;
  canteens: readonly CanteenTimes[];
  now: Date;
  cut: boolean;
  onCanteen: (id: string) => void;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const { id, name, servesFrom, servesUntil } = list.canteen;
  const hasChoice = canteens.length > 1;
  return (
    <Stack gap={4}>
      <div className={styles.line}>
        <p>
          <strong>{name}</strong> · service {servesFrom}–{servesUntil}
        </p>
        {hasChoice && (
          <Button
            size="small"
            kind="ghost"
            aria-expanded={isChoosing}
            onClick={() => setIsChoosing(!isChoosing)}
          >
            Changer<span className="unseen"> de restaurant</span>
          </Button>
        )}
      </div>
      {hasChoice && isChoosing && (
        <Select
          label="Restaurant"
          value={id}
          options={canteens.map((one) => ({
            value: one.id,
            label: isServing(one, now) ? `${one.name} (service ouvert)` : one.name,
          }))}
          onValue={onCanteen}
        />
      )}
      <Progress list={list} cut={cut} />
    </Stack>
  );
}

function Progress({ list, cut }: { list: DayList; cut: boolean }) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const waiting = useObserved(storedScans).filter(({ sent }) => !sent).length;
  const orders = list.people.filter(({ order }) => order);
  const served = orders.filter(({ order }) => order?.state === "served").length;
  const toSend = `${plural(waiting, "passage")} à envoyer`;
  return (
    <div className={styles.state}>
      <span>
        <strong>
          {plural(served, "servi", "servis")} sur {orders.length}
        </strong>{" "}
        · liste de {formatTime(list.at)}
      </span>
      {cut && (
        <OfflineLine
          words={waiting > 0 ? `Hors ligne · ${toSend}` : "Hors ligne"}
          isUnfolded={isUnfolded}
          onUnfolded={setIsUnfolded}
        >
          <p>
            Servez comme d’habitude, avec la liste de {formatTime(list.at)}&#8239;: cet appareil la
            garde jusqu’à minuit. Ce que vous faites est envoyé dès que le réseau revient. Une
            commande annulée ou une carte opposée depuis n’est pas encore connue ici.
          </p>
        </OfflineLine>
      )}
      {!cut && waiting > 0 && <Badge tone="warning">{toSend}</Badge>}
    </div>
  );
}
