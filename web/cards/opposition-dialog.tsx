// Opposition asks before it acts: it is final.
import { useRef, useState } from "react";
import type { Card } from "#contract/cards/rows.ts";
import { formatCardnumber } from "#contract/french.ts";
import { Banner } from "#web/ui/banner.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./card-dialogs.module.css";
import { type OppositionReason, useOppose } from "./card-acts.ts";

const reasons: { value: OppositionReason; label: string; hint: string }[] = [
  { value: "lost", label: "Je l’ai perdue", hint: "Vous ne savez plus où elle est." },
  { value: "stolen", label: "On me l’a volée", hint: "Elle est peut-être dans d’autres mains." },
  {
    value: "fraud",
    label: "Quelqu’un s’en sert",
    hint: "Vous voyez des opérations qui ne sont pas les vôtres.",
  },
];

export function OppositionDialog({
  card,
  own,
  open,
  onClose,
}: {
  card: Pick<Card, "cardnumber" | "name">;
  own: boolean;
  open: boolean;
  onClose: () => void;
}) {
  const [reason, setReason] = useState<OppositionReason | null>(null);
  const [missing, setMissing] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const oppose = useOppose();
  const close = () => {
    if (oppose.isPending) return;
    setReason(null);
    setMissing(false);
    oppose.reset();
    onClose();
  };
  const confirm = () => {
    if (!reason) {
      setMissing(true);
      form.current?.querySelector("input")?.focus();
      return;
    }
    oppose.mutate(
      { cardnumber: card.cardnumber, reason },
      {
        onSuccess: () => {
          close();
          notify({ text: "Opposition faite. Une nouvelle carte est demandée.", kind: "success" });
        },
      },
    );
  };
  return (
    <AlertDialog
      open={open}
      onClose={close}
      title={`Mettre en opposition la carte ${formatCardnumber(card.cardnumber)}\u202f?`}
      confirm="Mettre en opposition"
      cancel="Garder la carte"
      danger
      loading={oppose.isPending}
      onConfirm={confirm}
    >
      <div className={styles.opposition} ref={form}>
        <ul className={styles.oppositionEffects}>
          <li>
            <strong>C’est définitif.</strong> Cette carte ne servira plus jamais, même retrouvée.
          </li>
          <li>Elle ne paie plus rien et son QR code cesse aussitôt de marcher.</li>
          <li>
            {own
              ? "Vos autres connexions sont fermées. Celle-ci reste ouverte."
              : "Les connexions ouvertes avec cette carte sont fermées."}
          </li>
          <li>
            Une nouvelle carte, avec un nouveau numéro, est demandée. L’argent de la cagnotte ne
            bouge pas.
          </li>
        </ul>
        <RadioGroup
          label="Que s’est-il passé&#8239;?"
          options={reasons}
          value={reason}
          onValue={(value) => {
            setReason(value);
            setMissing(false);
          }}
          error={missing && "Choisissez ce qui s’est passé."}
        />
        {oppose.error && (
          <Banner tone="danger" alert title="L’opposition n’a pas été faite.">
            {oppose.error.message}
          </Banner>
        )}
      </div>
    </AlertDialog>
  );
}
