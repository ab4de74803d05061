// The charges that wait on this device, and the removal of one before it is sent: a trace goes in its place.
import { useState } from "react";
import { formatDateTime, formatMoney, plural } from "#contract/french.ts";
import { lineWords } from "#contract/till/lines.ts";
import { till as limits } from "#contract/till/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { notify } from "#web/ui/toast.tsx";
import { type StoredCharge, sendCharges, withdrawCharge } from "./offline-charges.ts";

export function Unsent({ items }: { items: readonly StoredCharge[] }) {
  const [withdrawing, setWithdrawing] = useState<StoredCharge | null>(null);
  const waiting = items.filter(({ result, charge }) => !result && !charge.withdrawnWhy);
  return (
    <>
      {waiting.length > 0 && (
        <Section
          title={plural(waiting.length, "achat pas encore envoyé", "achats pas encore envoyés")}
        >
          <DefinitionList
            items={waiting.map((item) => ({
              label: whatOf(item),
              value: formatMoney(item.paidCents),
              action: (
                <Button size="small" kind="ghost" onClick={() => setWithdrawing(item)}>
                  Retirer<span className="unseen"> l’achat du {whatOf(item)}</span>
                </Button>
              ),
            }))}
          />
        </Section>
      )}
      {withdrawing && (
        <Withdraw
          key={withdrawing.charge.id}
          item={withdrawing}
          onClose={() => setWithdrawing(null)}
        />
      )}
    </>
  );
}

const whatOf = ({ charge, counter }: StoredCharge): string =>
  [formatDateTime(charge.soldAt), charge.label, lineWords(charge.lines ?? []), counter]
    .filter(Boolean)
    .join(", ");

function Withdraw({ item, onClose }: { item: StoredCharge; onClose: () => void }) {
  const [why, setWhy] = useState("");
  const [missing, setMissing] = useState(false);
  const withdraw = async () => {
    if (why.trim() === "") return setMissing(true);
    await withdrawCharge(item.charge.id, why.trim());
    onClose();
    notify({ text: "Achat retiré. Votre responsable en verra la trace." });
    void sendCharges();
  };
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={"Retirer cet achat\u202f?"}
      confirm="Retirer"
      cancel="Garder"
      danger
      onConfirm={() => void withdraw()}
    >
      <p>
        {formatMoney(item.paidCents)}, {whatOf(item)}. La carte ne sera pas débitée. L’achat reste
        dans les écarts hors connexion, avec votre nom et ce motif.
      </p>
      <TextInput
        label="Motif"
        value={why}
        maxLength={limits.withdrawnLength}
        error={missing && why.trim() === "" && "Dites pourquoi vous le retirez."}
        onValue={setWhy}
      />
    </AlertDialog>
  );
}
