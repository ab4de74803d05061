// The till without network: what remains of the cap, the charges that wait, and those that could not be made
// once it was back. It keeps the device ready and sends what waits.
import { useEffect, useState } from "react";
import { formatDateTime, formatMoney, formatTime, plural } from "#contract/french.ts";
import { offlineTill as limits } from "#contract/till/limits.ts";
import { offlineConflictWords, offlineLossWords } from "#contract/till/offline-words.ts";
import type { TillCounter } from "#contract/till/rows.ts";
import { isAnswered, useServerUnreachable } from "#web/app/transport/server-answers.ts";
import { useObserved, useOnline } from "#web/app/transport/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { type Folding, OfflineLine } from "#web/ui/offline-line.tsx";
import {
  dismissCharge,
  type StoredCharge,
  offlineCharges,
  openCharges,
  sendCharges,
  waitingAt,
} from "./offline-charges.ts";
import { Unsent } from "./unsent-charges.tsx";
import { openKit, refreshKit } from "./open-kit.ts";
import { tillKit } from "./till-kit.ts";

const refreshMs = 10 * 60_000;
const sendEveryMs = 10_000;

export function OfflineDesk({ counter }: { counter: TillCounter | undefined }) {
  const online = useOnline();
  const cut = useServerUnreachable();
  const [isReady, setIsReady] = useState(false);
  const [isUnfolded, setIsUnfolded] = useState(false);
  // A network that comes and goes leaves it as it is.
  const folding = { isUnfolded, onUnfolded: setIsUnfolded };
  useEffect(() => {
    void Promise.all([openKit(), openCharges()]).then(() => setIsReady(true));
  }, []);
  useEffect(() => {
    if (!isReady || !online) return;
    void refreshKit();
    void sendCharges();
    const timers = [
      setInterval(() => void refreshKit(), refreshMs),
      setInterval(() => {
        if (!isAnswered()) void refreshKit();
        void sendCharges();
      }, sendEveryMs),
    ];
    return () => timers.forEach(clearInterval);
  }, [isReady, online]);
  const items = useObserved(offlineCharges);
  const lost = items.filter(({ result }) => result?.conflict && result.conflict !== "withdrawn");
  return (
    <>
      {lost.map((item) => (
        <Lost key={item.charge.id} item={item} />
      ))}
      {counter && !counter.frozenWhy && isReady && cut && (
        <OfflineNotice counter={counter} items={items} {...folding} />
      )}
      {!cut && <Waiting items={items} {...folding} />}
    </>
  );
}

/** A charge that no wallet paid, until it is read; it stays in the list of the day's screen. */
function Lost({ item: { charge, counter, paidCents, result } }: { item: StoredCharge }) {
  if (!result?.conflict) return null;
  const { why, next } = offlineConflictWords[result.conflict];
  const price = formatMoney(paidCents);
  const full = formatMoney(charge.amountCents);
  const sum = price === full ? price : `${price} (${full} avant remise)`;
  const what = `${sum}, ${formatDateTime(charge.soldAt)}`;
  return (
    <Banner
      tone="danger"
      title={`Achat non débité\u202f: ${what}, ${counter}${charge.label ? `, ${charge.label}` : ""}`}
      actions={
        <Button size="small" onClick={() => dismissCharge(charge.id)}>
          J’ai vu<span className="unseen"> pour l’achat de {what}</span>
        </Button>
      }
    >
      {why} {next} {offlineLossWords}
    </Banner>
  );
}

/** « 2 achats attendent depuis 14:05 (30,00 €). » */
const waitWords = ({ count, paidCents, since }: ReturnType<typeof waitingAt>): string =>
  count === 0 || since === null
    ? "Aucun achat n’attend."
    : `${plural(count, "achat attend", "achats attendent")} d’être ${count === 1 ? "débité" : "débités"} depuis ${formatTime(since)} (${formatMoney(paidCents)}).`;

function OfflineNotice({
  counter,
  items,
  ...folding
}: Folding & {
  counter: TillCounter;
  items: readonly StoredCharge[];
}) {
  const kit = useObserved(tillKit);
  const waiting = waitingAt(items, counter.id);
  if (!kit) {
    return (
      <>
        <Banner tone="danger" title="Hors connexion, la caisse ne peut pas encaisser">
          Elle n’a pas été ouverte avec le réseau depuis 24 heures sur cet appareil, ou ce
          navigateur ne garde rien. {waitWords(waiting)}
        </Banner>
        <Unsent items={items} />
      </>
    );
  }
  const left =
    waiting.leftCents === 0 ? "plafond atteint" : `reste ${formatMoney(waiting.leftCents)}`;
  const count = waiting.count > 0 ? ` · ${waiting.count} à envoyer` : "";
  return (
    <OfflineLine words={`Hors ligne · ${left}${count}`} {...folding}>
      <p>
        {waiting.leftCents === 0 ? (
          <strong>Le plafond de {formatMoney(limits.tillCents)} est atteint.</strong>
        ) : (
          <>
            Il reste <strong>{formatMoney(waiting.leftCents)}</strong> à encaisser sans réseau à
            cette caisse, {formatMoney(limits.chargeCents)} au plus par achat, par QR code
            {counter.discountPercent > 0 && ", avant remise"}. Ce plafond vaut pour tous vos
            appareils ensemble&#8239;: n’encaissez sans réseau que sur celui-ci.
          </>
        )}{" "}
        {waitWords(waiting)} {offlineLossWords}
      </p>
      <Unsent items={items} />
    </OfflineLine>
  );
}

/** Back on the network, with something still to send. */
function Waiting({ items, ...folding }: Folding & { items: readonly StoredCharge[] }) {
  const count = items.filter(({ result }) => !result).length;
  if (count === 0) return null;
  return (
    <OfflineLine
      words={`${plural(count, "achat hors connexion", "achats hors connexion")} à envoyer`}
      {...folding}
    >
      <p>La caisse les envoie d’elle-même. Laissez-la ouverte.</p>
      <Button size="small" icon="refresh" onClick={() => void sendCharges()}>
        Envoyer
      </Button>
      <Unsent items={items} />
    </OfflineLine>
  );
}
