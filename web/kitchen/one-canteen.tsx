// What is set for one canteen at a time: which one, kept in the address.
import type { ReactNode } from "react";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Select } from "#web/ui/choice.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { mayLeave } from "#web/ui/unsaved.tsx";
import styles from "./one-canteen.module.css";

export function OneCanteen({
  canteens,
  children,
}: {
  canteens: readonly OwnCanteen[];
  children: (canteen: OwnCanteen) => ReactNode;
}) {
  const [{ canteen = "" }, change] = useSearchParameters<"canteenDesk" | "canteenFollowUp">();
  const [first] = canteens;
  const chosen = canteens.find(({ id }) => id === canteen) ?? first;
  if (!chosen) return null;
  const choose = async (id: string) => {
    if (await mayLeave(null)) change({ canteen: id === first?.id ? undefined : id });
  };
  return (
    <Stack gap={24}>
      {canteens.length > 1 && (
        <div className={styles.which}>
          <Select
            label="Restaurant"
            options={canteens.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen.id}
            onValue={(id) => void choose(id)}
          />
        </div>
      )}
      {children(chosen)}
    </Stack>
  );
}
