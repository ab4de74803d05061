// The sale whose panel is open, as the address says it, and the keys that lead to the next one.
import { useEffect, useRef } from "react";
import type { TillSale } from "#contract/till/rows.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useIsDesk } from "./use-window-width.ts";

const rowOf = (place: HTMLElement | null, id: string | undefined): HTMLElement | undefined =>
  [...(place?.querySelectorAll<HTMLElement>("[data-sale]") ?? [])].find(
    (one) => one.dataset["sale"] === id,
  );

/**
 * Put `place` on the element that holds the list and the panel: there the arrows up and down open the sale before
 * and after, and Escape closes a panel that stands beside the list. A row bears the id of its sale as `data-sale`
 * on what opens it, which has the focus again once the panel is closed.
 */
export function useOpenSale(sales: readonly TillSale[]) {
  const [{ sale: id }, change] = useSearchParameters<"till">();
  const isBeside = useIsDesk();
  const place = useRef<HTMLDivElement>(null);
  const at = sales.findIndex((one) => one.id === id);
  const before = at > 0 ? sales[at - 1] : undefined;
  const after = at === -1 ? undefined : sales[at + 1];
  const open = (sale: TillSale | undefined) => sale && change({ sale: sale.id });
  const close = () => {
    change({ sale: undefined });
    rowOf(place.current, id)?.focus();
  };
  useEffect(() => {
    const holder = place.current;
    if (!holder || id === undefined) return;
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape" && isBeside) close();
      const next = event.key === "ArrowDown" ? after : event.key === "ArrowUp" ? before : undefined;
      if (!next) return;
      event.preventDefault();
      open(next);
    };
    holder.addEventListener("keydown", press);
    return () => holder.removeEventListener("keydown", press);
  });
  useEffect(() => {
    rowOf(place.current, id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
  return { id, listed: sales[at], before, after, open, close, isBeside, place };
}
