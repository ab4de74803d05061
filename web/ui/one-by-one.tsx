// From one code to the next, of all that a family has: by a swipe, the arrow keys or two buttons.
import type { ReactNode } from "react";
import { IconButton } from "#web/ui/button.tsx";
import "./one-by-one.css";
import { useStepping } from "./stepping.ts";

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
  // The children stand at one place of the tree whether there are others or not: what was pressed in them stays when
  // the list comes.
  const isAlone = count < 2 || index === -1;
  const go = (by: number) => {
    if (!isAlone) onIndex(Math.min(count - 1, Math.max(0, index + by)));
  };
  const stepping = useStepping(go);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the two buttons do the same
    <div {...stepping}>
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
