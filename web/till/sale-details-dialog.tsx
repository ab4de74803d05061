// The label of a sale, and whether points pay a part of it.
import { formatMoney } from "#contract/french.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import type { TypedSale } from "./basket.ts";

export function SaleDetailsDialog({
  label,
  usePoints,
  takesPoints,
  onChange,
  onClose,
}: Pick<TypedSale, "label" | "usePoints"> & {
  takesPoints: boolean;
  onChange: (part: Partial<TypedSale>) => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={takesPoints ? "Objet et points" : "Objet"}
      actions={
        <Button kind="primary" onClick={onClose}>
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
          onKeyDown={({ key }) => key === "Enter" && onClose()}
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
  );
}
