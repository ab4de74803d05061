// From one code to the next, of all that a family has: by a swipe, the arrow keys or two buttons.
import { type KeyboardEvent, type ReactNode, type TouchEvent, useRef } from "react";
import { IconButton } from "#web/ui/button.tsx";
import "./one-by-one.css";

/** A finger that moves less, or more up than aside, scrolls or presses. */
const swipePx = 48;

/** Neither in a field, which has its own use of the arrow keys, nor in a dialog that is open above. */
function isOwn({ target, currentTarget }: KeyboardEvent | TouchEvent): boolean {
  if (!(target instanceof Element) || target.closest("input, select, textarea")) return false;
  return target.closest("dialog") === currentTarget.closest("dialog");
}

/** Around what is shown of a list. `name` is the noun of its items, « Billet »; `index` is -1 for none of them. */
export function OneByOne({
  name,
  where,
  about,
  count,
  index,
  onIndex,
  children,
}: {
  name: string;
  /** Between the two buttons: « Billet 1 sur 5 ». */
  where: string;
  /** Whose it is and what for: said with it when it changes. */
  about: string;
  count: number;
  index: number;
  onIndex: (index: number) => void;
  children: ReactNode;
}) {
  const from = useRef<{ x: number; y: number } | null>(null);
  // The children stand at one place of the tree whether there are others or not: what was pressed in them stays when
  // the list comes.
  const isAlone = count < 2 || index === -1;
  const go = (by: number) => {
    if (!isAlone) onIndex(Math.min(count - 1, Math.max(0, index + by)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOwn(event)) return;
    if (event.key === "ArrowRight") go(1);
    if (event.key === "ArrowLeft") go(-1);
  };
  const onTouchStart = (event: TouchEvent) => {
    const { touches } = event;
    const touch = touches.length === 1 && isOwn(event) ? touches[0] : undefined;
    from.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
  };
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    const start = from.current;
    const touch = changedTouches[0];
    if (!start || !touch) return;
    const [x, y] = [touch.clientX - start.x, touch.clientY - start.y];
    if (Math.abs(x) > swipePx && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the two buttons do the same
    <div onKeyDown={onKeyDown} onTouchStart={onTouchStart} onTouchEnd={onTouchEnd}>
      {!isAlone && (
        <div className="one-by-one">
          <IconButton
            icon="left"
            label={`${name} précédent`}
            aria-disabled={index === 0}
            onClick={() => go(-1)}
          />
          <output className="one-by-one-where">
            {where}
            <span className="unseen">, {about}</span>
          </output>
          <IconButton
            icon="right"
            label={`${name} suivant`}
            aria-disabled={index === count - 1}
            onClick={() => go(1)}
          />
        </div>
      )}
      {children}
    </div>
  );
}
