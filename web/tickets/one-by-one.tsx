// From one code of a session to the next: by a swipe, the arrow keys or two buttons.
import { type KeyboardEvent, type ReactNode, type TouchEvent, useRef } from "react";
import { IconButton } from "#web/ui/button.tsx";
import styles from "./tickets.module.css";

/** A finger that moves less, or more up than aside, scrolls or presses. */
const swipePx = 48;

export function OneByOne({
  count,
  index,
  holder,
  onIndex,
  children,
}: {
  count: number;
  index: number;
  /** Whose ticket is shown: said when it changes. */
  holder: string;
  onIndex: (index: number) => void;
  children: ReactNode;
}) {
  const from = useRef<{ x: number; y: number } | null>(null);
  if (count < 2) return children;
  const go = (by: number) => onIndex(Math.min(count - 1, Math.max(0, index + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") go(1);
    if (event.key === "ArrowLeft") go(-1);
  };
  const onTouchStart = ({ touches }: TouchEvent) => {
    const touch = touches.length === 1 ? touches[0] : undefined;
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
      <div className={styles.oneByOne}>
        <IconButton
          icon="left"
          label="Billet précédent"
          aria-disabled={index === 0}
          onClick={() => go(-1)}
        />
        <output className={styles.oneByOneWhere}>
          Billet {index + 1} sur {count}, {holder}
        </output>
        <IconButton
          icon="right"
          label="Billet suivant"
          aria-disabled={index === count - 1}
          onClick={() => go(1)}
        />
      </div>
      {children}
    </div>
  );
}
