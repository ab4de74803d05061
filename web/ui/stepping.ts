// From one thing to the next by the arrow keys or a swipe, beside buttons that do the same.
import { type KeyboardEvent, type TouchEvent, useRef } from "react";

/** A finger that moves less, or more up than aside, scrolls or presses. */
const swipePx = 48;

/** Neither in a field, which has its own use of the arrow keys, nor in a dialog that is open above. */
export function isOwnGesture({ target, currentTarget }: KeyboardEvent | TouchEvent): boolean {
  if (!(target instanceof Element) || target.closest("input, select, textarea")) return false;
  return target.closest("dialog") === currentTarget.closest("dialog");
}

/** Handlers for the element around what is shown: `go` is called with 1 for the next thing, -1 for the one before. */
export function useStepping(go: (by: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOwnGesture(event)) return;
    if (event.key === "ArrowRight") go(1);
    if (event.key === "ArrowLeft") go(-1);
  };
  const onTouchStart = (event: TouchEvent) => {
    const { touches } = event;
    const touch = touches.length === 1 && isOwnGesture(event) ? touches[0] : undefined;
    from.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
  };
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    const start = from.current;
    const touch = changedTouches[0];
    if (!start || !touch) return;
    const [x, y] = [touch.clientX - start.x, touch.clientY - start.y];
    if (Math.abs(x) > swipePx && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
  };
  return { onKeyDown, onTouchStart, onTouchEnd };
}
