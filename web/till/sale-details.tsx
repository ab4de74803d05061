// What else is said of a sale, in one line with its values: the label, and whether points pay a part.
import { useState } from "react";
import { formatMoney } from "#contract/french.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import type { TypedSale } from "./basket.ts";
import styles from "./sale.module.css";

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
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="small" kind="ghost" icon="edit" onClick={() => setIsOpen(true)}>
        <span className={styles.details}>
          {label.trim() === "" ? "Sans objet" : label.trim()}
          {takesPoints && (usePoints ? " · avec ses points" : " · sans points")}
        </span>
        <span className="unseen">, changer</span>
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={takesPoints ? "Objet et points" : "Objet"}
        actions={
          <Button kind="primary" onClick={close}>
            Valider
          </Button>
        }
      >
        <Stack>
          <TextInput
            label="Objet"
            optional
            value={label}
            onValue={(text) => onChange({ label: text })}
            onKeyDown={({ key }) => key === "Enter" && close()}
            maxLength={80}
          />
          {takesPoints && (
            <Checkbox
              label="Utiliser ses points"
              hint={`1 point enlève ${formatMoney(loyalty.pointCents)}. Demandez d’abord à la personne.`}
              checked={usePoints}
              onChecked={(checked) => onChange({ usePoints: checked })}
            />
          )}
        </Stack>
      </Dialog>
    </>
  );
}
