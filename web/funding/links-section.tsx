// The links by which relatives top a wallet up: made, copied once, ended.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate, ofName } from "#contract/french.ts";
import { giftWordMax, isPlainName, isPlainText } from "#contract/funding/names.ts";
import type { Automations, GiftLink, LinkState } from "#contract/funding/rows.ts";
import { funding as limits } from "#contract/limits.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Badge, Banner, ProblemBanner, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextArea, TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { QrCode } from "#web/ui/qr.tsx";
import { SharedLink } from "#web/ui/shared-link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { short } from "#web/wallet/top-up-limits.ts";
import styles from "./automations.module.css";

const stateWords: Readonly<Record<LinkState, string>> = {
  open: "Ouvert",
  expired: "Expiré",
  revoked: "Supprimé",
  used: "Épuisé",
};
const stateTones: Readonly<Record<LinkState, Tone | "neutral">> = {
  open: "success",
  expired: "neutral",
  revoked: "neutral",
  used: "info",
};

export function LinksSection({ wallet, seen }: { wallet: Wallet; seen: Automations }) {
  const [making, setMaking] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const { links, mayAutomate, open } = seen;
  const openCount = links.filter(({ state }) => state === "open").length;
  const close = () => {
    setMaking(false);
    setAddress(null);
  };
  return (
    <Section title="Recharge par un proche">
      <p className={styles.automationsLead}>
        {mayAutomate
          ? "Un lien permet à un proche de recharger cette cagnotte sans compte. Il voit le prénom et le mot que vous choisissez, et rien d’autre."
          : "Votre responsable peut créer un lien pour que vos proches rechargent cette cagnotte."}
      </p>
      {links.length > 0 && (
        <Stack as="ul" gap={12}>
          {links.map((link) => (
            <li key={link.id}>
              <LinkPart link={link} />
            </li>
          ))}
        </Stack>
      )}
      {mayAutomate && open && openCount < limits.openLinks && (
        <div className={styles.automationsActs}>
          <Button icon="gift" aria-haspopup="dialog" onClick={() => setMaking(true)}>
            Créer un lien
          </Button>
        </div>
      )}
      <Dialog
        open={making}
        onClose={close}
        title={address === null ? "Créer un lien pour un proche" : "Votre lien est prêt"}
      >
        {address === null ? (
          <LinkForm wallet={wallet} onMade={setAddress} onClose={close} />
        ) : (
          <LinkCreated address={address} onClose={close} />
        )}
      </Dialog>
    </Section>
  );
}

function LinkPart({ link }: { link: GiftLink }) {
  const [asking, setAsking] = useState(false);
  const revoke = useAction(() => call(api.funding.revokeLink, { linkId: link.id }), {
    says: ({ message }) => message,
  });
  const { receivedCents, maxTotalCents, receivedCount, maxCount, state } = link;
  return (
    <article className={styles.automation} aria-label={`Lien au nom ${ofName(link.displayName)}`}>
      <header className={styles.automationHead}>
        <h3>Au nom {ofName(link.displayName)}</h3>
        <Badge tone={stateTones[state]}>{stateWords[state]}</Badge>
      </header>
      {link.word !== null && <p>«&nbsp;{link.word}&nbsp;»</p>}
      <p>
        {short(receivedCents)} reçus sur {short(maxTotalCents)}
      </p>
      <Text tone="soft" size="fine" numeric breakWord>
        {receivedCount} paiement{receivedCount > 1 ? "s" : ""} sur {maxCount} ·{" "}
        {short(link.maxEachCents)} au plus à la fois · jusqu’au {formatDate(link.expiresAt)}
      </Text>
      {state === "open" && (
        <div className={styles.automationsActs}>
          <Button kind="ghost" icon="trash" onClick={() => setAsking(true)}>
            Supprimer le lien
          </Button>
        </div>
      )}
      <ConfirmAction
        act={revoke}
        open={asking}
        onClose={() => setAsking(false)}
        title={"Supprimer ce lien\u202f?"}
        confirm="Supprimer le lien"
        danger
      >
        Qui l’a reçu ne pourra plus s’en servir. Ce qui est déjà payé reste dans la cagnotte.
      </ConfirmAction>
    </article>
  );
}

const lives = [
  { value: "7", label: "Une semaine" },
  { value: "30", label: "Un mois" },
  { value: "90", label: "Trois mois" },
  { value: "365", label: "Un an" },
];

/** The fields as they are typed. */
interface Typed {
  name: string;
  word: string;
  thanks: string;
  eachCents: number | null;
  totalCents: number | null;
  count: string;
  days: string;
}

const notWords = "Écrivez-le sans adresse, ni lien, ni numéro de compte ou de téléphone.";

const faultsOf =
  ({ topUpMinCents: min, topUpMaxCents: max }: Wallet) =>
  ({ name, word, thanks, eachCents: each, totalCents: total, count }: Typed): Faults<Typed> => ({
    name: !isPlainName(name) && "Indiquez un prénom, sans adresse ni lien.",
    word: !isPlainText(word) && notWords,
    thanks: !isPlainText(thanks) && notWords,
    eachCents:
      (each === null || each < min || each > max) && `Indiquez de ${short(min)} à ${short(max)}.`,
    totalCents:
      (total === null || total < (each ?? 0) || total > limits.maxCents) &&
      "Le total couvre au moins un paiement, et au plus 10 000 €.",
    count:
      !(/^\d{1,3}$/.test(count) && Number(count) >= 1 && Number(count) <= limits.linkPayments) &&
      `Indiquez un nombre de 1 à ${limits.linkPayments}.`,
  });

function LinkForm({
  wallet,
  onMade,
  onClose,
}: {
  wallet: Wallet;
  onMade: (address: string) => void;
  onClose: () => void;
}) {
  const make = useAction(
    ({ name, word, thanks, eachCents, totalCents, count, days }: Typed) =>
      call(api.funding.createLink, {
        objectID: wallet.objectID,
        displayName: name,
        ...(word.trim() !== "" && { word }),
        ...(thanks.trim() !== "" && { thanks }),
        maxEachCents: eachCents ?? 0,
        maxTotalCents: totalCents ?? 0,
        maxCount: Number(count),
        days: Number(days),
      }),
    { onDone: ({ address }) => onMade(address) },
  );
  const { values, set, field, errorOf, problem, form, discard } = useForm<Typed>(
    {
      name: "",
      word: "",
      thanks: "",
      eachCents: Math.min(5000, wallet.topUpMaxCents),
      totalCents: 10_000,
      count: "5",
      days: "30",
    },
    faultsOf(wallet),
    make,
    {
      draft: {
        name: `link ${wallet.objectID}`,
        fields: ["name", "word", "thanks", "eachCents", "totalCents", "count", "days"],
      },
    },
  );
  return (
    <form {...form}>
      <TextInput
        label="Prénom à montrer"
        hint="Avec vos mots ci-dessous, c’est tout ce que vos proches verront."
        autoComplete="off"
        maxLength={40}
        {...field("name")}
      />
      <TextArea
        label="Un mot pour vos proches"
        hint="En haut de la page, par exemple à quoi servira l’argent."
        optional
        rows={2}
        maxLength={giftWordMax}
        {...field("word")}
      />
      <TextArea
        label="Un merci"
        hint="Il se lit une fois l’argent arrivé. Sinon, la page dit «&nbsp;Merci&nbsp;!&nbsp;»."
        optional
        rows={2}
        maxLength={giftWordMax}
        {...field("thanks")}
      />
      <AmountInput
        label="Au plus par paiement"
        cents={values.eachCents}
        onCents={(eachCents) => set({ eachCents })}
        error={errorOf("eachCents")}
      />
      <AmountInput
        label="Au plus en tout"
        cents={values.totalCents}
        onCents={(totalCents) => set({ totalCents })}
        error={errorOf("totalCents")}
      />
      <TextInput
        label="Nombre de paiements"
        inputMode="numeric"
        autoComplete="off"
        {...field("count")}
      />
      <Select label="Valable" options={lives} {...field("days")} />
      <ProblemBanner problem={problem} title="Le lien n’a pas été créé." />
      <FormActions
        submit="Créer le lien"
        isSending={make.isPending}
        onCancel={() => {
          discard();
          onClose();
        }}
      />
    </form>
  );
}

/** The new link, shown once: the server keeps only a digest of its secret. */
function LinkCreated({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <Stack gap={20}>
      <Banner tone="warning">
        Copiez-le maintenant&#8239;: il ne sera plus montré. Qui a ce lien peut recharger la
        cagnotte.
      </Banner>
      <div className={styles.linkMade}>
        <QrCode text={address} label="QR du lien de recharge" />
      </div>
      <SharedLink title="Recharger une cagnotte" address={address} onDone={onClose} />
    </Stack>
  );
}
