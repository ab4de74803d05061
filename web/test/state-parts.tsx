import { useState } from "react";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Row } from "#web/ui/stack.tsx";
import {
  EmptyState,
  ErrorState,
  Loading,
  OfflinePage,
  ProgressBar,
  ResultPage,
  Skeleton,
} from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import { Tooltip } from "#web/ui/tooltip.tsx";
import styles from "./gallery.module.css";

const nothing = () => undefined;

function Calls() {
  const [open, setOpen] = useState<"dialog" | "alert" | null>(null);
  const [busy, setBusy] = useState(false);
  return (
    <Section title="Ce qui répond">
      <ProgressBar busy={busy} />
      <Row>
        <Button onClick={() => setOpen("dialog")}>Ouvrir un dialogue</Button>
        <Button onClick={() => setOpen("alert")}>Demander confirmation</Button>
        <Button onClick={() => notify({ text: "Votre profil est enregistré.", kind: "success" })}>
          Notification
        </Button>
        <Button
          onClick={() =>
            notify({ text: "Une erreur s'est produite", kind: "error", position: "top" })
          }
        >
          Alerte en haut
        </Button>
        <Button onClick={() => setBusy(!busy)}>Barre de progression</Button>
        <Tooltip tip="Ce que la bulle explique en une phrase.">
          {(described) => (
            <Button kind="ghost" icon="help" {...described}>
              {"Pourquoi ce prix\u202f?"}
            </Button>
          )}
        </Tooltip>
      </Row>
      <Dialog
        open={open === "dialog"}
        onClose={() => setOpen(null)}
        title="Votre QR code"
        actions={<Button onClick={() => setOpen(null)}>J’ai compris</Button>}
      >
        <p>Présentez ce code au lecteur.</p>
      </Dialog>
      <AlertDialog
        open={open === "alert"}
        onClose={() => setOpen(null)}
        title={"Opposer la carte\u202f?"}
        confirm="Opposer la carte"
        danger
        onConfirm={() => setOpen(null)}
      >
        <p>Elle ne pourra plus jamais servir. Votre solde reste à vous.</p>
      </AlertDialog>
    </Section>
  );
}

/** Messages, states, dialogs, results. */
export function StateParts() {
  return (
    <>
      <Calls />
      <Section title="Messages">
        <Banner title="Votre carte expire bientôt">Renouvelez-la avant le 31/12/2026.</Banner>
        <Banner tone="success" title="Recharge créditée">
          20 € sont sur votre cagnotte.
        </Banner>
        <Banner
          tone="warning"
          title="Paiements fictifs"
          actions={<Button size="small">Détails</Button>}
        >
          Cette installation ne prélève rien.
        </Banner>
        <Banner tone="danger" title="Carte suspendue">
          Elle ne peut rien payer tant que vous ne l’avez pas réactivée.
        </Banner>
        <Row>
          <Badge tone="info">en attente</Badge>
          <Badge tone="success">crédité</Badge>
          <Badge tone="warning">à vérifier</Badge>
          <Badge tone="danger">refusé</Badge>
          <Badge>brouillon</Badge>
        </Row>
      </Section>
      <div className={styles.columns}>
        <Section title="Vide">
          <EmptyState
            icon="wallet"
            title="Aucune opération pour le moment"
            action={<Button kind="primary">Recharger</Button>}
          >
            La première apparaîtra ici dès votre recharge.
          </EmptyState>
        </Section>
        <Section title="Erreur">
          <ErrorState
            message="Le service met trop de temps à répondre."
            answer={{ error: null, isFetching: false, refetch: nothing }}
          />
        </Section>
        <Section title="Chargement">
          <Loading>
            <Skeleton height="3rem" width="55%" />
            <Skeleton lines={4} />
          </Loading>
        </Section>
      </div>
      <Section title="Pages de résultat" plain>
        <OfflinePage onReload={nothing} />
        <ResultPage
          icon="success"
          tone="success"
          title="20 € crédités"
          subtitle="Votre cagnotte est à jour. Un reçu vous attend dans vos opérations."
          actions={<Button kind="primary">Revenir à ma carte</Button>}
        />
      </Section>
    </>
  );
}
