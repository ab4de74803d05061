// Where a popover stands: under what opened it, above where there is no room, never off the screen.

/** `fit` gives the popup the anchor's width and left edge; otherwise their right edges meet. */
export function placeBy(popup: HTMLElement, anchor: HTMLElement, fit = false): void {
  const from = anchor.getBoundingClientRect();
  if (fit) popup.style.width = `${from.width}px`;
  const { offsetWidth: width, offsetHeight: height } = popup;
  const below = from.bottom + 6;
  const above = from.top - height - 6;
  popup.style.top = `${below + height > innerHeight - 8 && above > 8 ? above : below}px`;
  const left = fit ? from.left : from.right - width;
  popup.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
}
