// The prices of a session, each with how many seats of it are in the cart for this card.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { api } from "#contract/api.ts";
import { capital, plural } from "#contract/french.ts";
import type { CartLine } from "#contract/tickets/cart.ts";
import { conditionBeside, isReduced } from "#contract/tickets/states.ts";
import type { EventView } from "#contract/tickets/rows.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { IconButton } from "#web/ui/button.tsx";
import { Money } from "#web/ui/money.tsx";
import { Text } from "#web/ui/text.tsx";
import { lackWords, SendProof } from "./lacks.tsx";
import { type CartAnswer, keepCart } from "./use-cart.ts";
import styles from "./tickets.module.css";

type Session = EventView["sessions"][number];
type Category = EventView["categories"][number];

export interface Line {
  session: string;
  category: string;
  cardnumber: number;
  quantity: number;
}

/** Sets a line of the cart; setting the same twice changes nothing more. */
export function usePutLine() {
  return useMutation<CartAnswer, ApiProblem, Line>({
    // One after the other: the last answer is then the cart with all of them.
    scope: { id: "tickets cart" },
    mutationFn: (line) => call(api.tickets.putLine, line, { draft: true }),
    onSuccess: keepCart,
    // What was shown as free may be gone by now; a draft without an answer tells nobody.
    onError: () => noteChanges(["tickets"]),
  });
}

export function Prices({
  event,
  session,
  cardnumber,
  whom,
  lines,
}: {
  event: EventView;
  session: Session;
  cardnumber: number;
  /** Who would come, as a price that is not theirs says it: « vous », « Léo ». */
  whom: string;
  lines: readonly CartLine[];
}) {
  const put = usePutLine();
  return (
    <>
      <ul>
        {event.categories.map((category) => {
          const line = lines.find(
            (one) => one.category === category.id && one.cardnumber === cardnumber,
          );
          const input = { session: session.id, category: category.id, cardnumber };
          return (
            <li
              key={category.id}
              className={styles.price}
              data-off={category.lacks.length > 0 || undefined}
            >
              <PriceWords category={category} session={session} whom={whom} />
              <Quantity
                label={category.name}
                value={line?.quantity ?? 0}
                max={maxQuantity(event, session, category, line?.quantity ?? 0)}
                busy={put.isPending}
                onValue={(quantity) => put.mutate({ ...input, quantity })}
              />
            </li>
          );
        })}
      </ul>
      <ProblemBanner problem={put.error} />
    </>
  );
}

function maxQuantity(event: EventView, session: Session, category: Category, held: number): number {
  if (category.lacks.length > 0) return held;
  if (isReduced(category)) return 1;
  const left = session.left[category.id] ?? session.remaining;
  return Math.min(held + left, held + Math.max(0, event.maxPerPerson - event.ticketsHeld));
}

function PriceWords({
  category,
  session,
  whom,
}: {
  category: Category;
  session: Session;
  whom: string;
}) {
  const condition = conditionBeside(category);
  const left = session.left[category.id];
  const about = [
    condition,
    category.lacks.length > 0 ? `non valable pour ${whom}\u202f: ${lackWords(category.lacks)}` : "",
    left !== undefined && left > 0 ? plural(left, "place libre", "places libres") : "",
    left === 0 && session.remaining > 0 ? "complet à ce tarif" : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
  return (
    <span className={styles.priceWords}>
      <span className={styles.priceName}>{category.name}</span>
      {about && (
        <Text as="span" tone="soft" size="fine">
          {capital(about)}
        </Text>
      )}
      <SendProof categories={[category]} />
      <span className={styles.priceAmount}>
        {category.priceCents === 0 ? "Gratuit" : <Money cents={category.priceCents} />}
      </span>
    </span>
  );
}

/** A number between a minus and a plus; the number is said when it changes. */
export function Quantity({
  label,
  value,
  max,
  busy,
  onValue,
}: {
  label: string;
  value: number;
  max: number;
  busy: boolean;
  onValue: (value: number) => void;
}) {
  // The number pressed while the cart was being saved: sent once it is.
  const pendingValue = useRef<number | null>(null);
  const tell = useEffectEvent(onValue);
  useEffect(() => {
    if (busy || pendingValue.current === null) return;
    const next = pendingValue.current;
    pendingValue.current = null;
    if (next !== value) tell(next);
  }, [busy, value]);
  // A button at its limit stays reachable: the focus is not lost with the last place.
  const step = (by: number) => {
    const next = Math.min(max, Math.max(0, (pendingValue.current ?? value) + by));
    if (busy) pendingValue.current = next;
    else if (next !== value) onValue(next);
  };
  return (
    <span className={styles.quantity}>
      <IconButton
        icon="minus"
        label={`Retirer une place, ${label}`}
        aria-disabled={value === 0}
        onClick={() => step(-1)}
      />
      <output
        className={styles.quantityValue}
        aria-label={`${label}\u202f: ${plural(value, "place")}`}
      >
        {value}
      </output>
      <IconButton
        icon="plus"
        label={`Ajouter une place, ${label}`}
        aria-disabled={value >= max}
        onClick={() => step(1)}
      />
    </span>
  );
}
