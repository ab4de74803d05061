// What else is said of a sale, in one line with its values: the label, and whether points pay a part.
import { lazy, Suspense, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import type { TypedSale } from "./basket.ts";
import styles from "./sale.module.css";

const SaleDetailsDialog = lazy(async () => ({
  default: (await import("./sale-details-dialog.tsx")).SaleDetailsDialog,
}));

export function SaleDetails({
  typed: { label, usePoints },
  takesPoints,
  onChange,
}: {
  typed: TypedSale;
  takesPoints: boolean;
  onChange: (part: Partial<TypedSale>) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" kind="ghost" icon="edit" onClick={() => setIsOpen(true)}>
        <span className={styles.details}>
          {label.trim() === "" ? "Sans objet" : label.trim()}
          {takesPoints && (usePoints ? " · avec ses points" : " · sans points")}
        </span>
        <span className="unseen">, changer</span>
      </Button>
      {isOpen && (
        <Suspense>
          <SaleDetailsDialog
            {...{ label, usePoints, takesPoints, onChange }}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
