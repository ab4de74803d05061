// The links by which relatives top a wallet up: made, copied once, ended.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import type { Automations, GiftLink, LinkState } from "#contract/funding.ts";
import { funding as limits } from "#contract/limits.ts";
import type { Wallet } from "#contract/wallet.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Badge, Banner, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { CopyButton } from "#web/ui/person.tsx";
import { QrCode } from "#web/ui/qr.tsx";
import { notify } from "#web/ui/toast.tsx";
import { short } from "./top-up-limits.ts";

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
  const opened = links.filter(({ state }) => state === "open").length;
  const close = () => {
    setMaking(false);
    setAddress(null);
  };
  return (
    <Section title="Recharge par un proche">
      <p className="automations-lead">
        {mayAutomate
          ? "Un lien permet à un proche de recharger cette cagnotte sans compte. Il voit le prénom que vous choisissez, et rien d’autre."
          : "Votre responsable peut créer un lien pour que vos proches rechargent cette cagnotte."}
      </p>
      {links.length > 0 && (
        <ul className="automations-list">
          {links.map((link) => (
            <li key={link.id}>
              <LinkPart link={link} />
            </li>
          ))}
        </ul>
      )}
      {mayAutomate && open && opened < limits.openLinks && (
        <div className="automations-acts">
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
          <Made address={address} onClose={close} />
        )}
      </Dialog>
    </Section>
  );
}

function LinkPart({ link }: { link: GiftLink }) {
  const [asking, setAsking] = useState(false);
  const revoke = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.funding.revokeLink, { linkId: link.id }),
    onSuccess: async ({ message }) => {
      setAsking(false);
      notify({ text: message, kind: "success" });
      await readAgain(api.funding.automations);
    },
  });
  const { givenCents, maxTotalCents, givenCount, maxCount, state } = link;
  return (
    <article className="automation" aria-label={`Lien au nom de ${link.shownName}`}>
      <header className="automation-head">
        <h3>Au nom de {link.shownName}</h3>
        <Badge tone={stateTones[state]}>{stateWords[state]}</Badge>
      </header>
      <p>
        {short(givenCents)} reçus sur {short(maxTotalCents)}
      </p>
      <p className="automation-fine">
        {givenCount} paiement{givenCount > 1 ? "s" : ""} sur {maxCount} · {short(link.maxEachCents)}{" "}
        au plus à la fois · jusqu’au {formatDate(link.expiresAt)}
      </p>
      {revoke.error && (
        <Banner tone="danger" alert>
          {revoke.error.message}
        </Banner>
      )}
      {state === "open" && (
        <div className="automations-acts">
          <Button kind="ghost" icon="trash" onClick={() => setAsking(true)}>
            Supprimer le lien
          </Button>
        </div>
      )}
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Supprimer ce lien ?"
        confirm="Supprimer le lien"
        danger
        loading={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      >
        Qui l’a reçu ne pourra plus s’en servir. Ce qui est déjà payé reste dans la cagnotte.
      </AlertDialog>
    </article>
  );
}

const lives = [
  { value: "7", label: "Une semaine" },
  { value: "30", label: "Un mois" },
  { value: "90", label: "Trois mois" },
  { value: "365", label: "Un an" },
];

function LinkForm({
  wallet,
  onMade,
  onClose,
}: {
  wallet: Wallet;
  onMade: (address: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [each, setEach] = useState<number | null>(Math.min(5000, wallet.topUpMaxCents));
  const [total, setTotal] = useState<number | null>(10_000);
  const [count, setCount] = useState("5");
  const [days, setDays] = useState("30");
  const [tries, setTries] = useState(0);
  const { topUpMinCents: min, topUpMaxCents: max, objectID } = wallet;
  const wrong = {
    name: !/\p{L}/u.test(name) && "Indiquez un prénom.",
    each:
      (each === null || each < min || each > max) && `Indiquez de ${short(min)} à ${short(max)}.`,
    total:
      (total === null || total < (each ?? 0) || total > limits.mostCents) &&
      "Le total couvre au moins un paiement, et au plus 10 000 €.",
    count:
      !(/^\d{1,3}$/.test(count) && Number(count) >= 1 && Number(count) <= limits.linkPayments) &&
      `Indiquez un nombre de 1 à ${limits.linkPayments}.`,
  };
  const isWrong = Object.values(wrong).some(Boolean);
  const form = useFirstError<HTMLFormElement>(isWrong && tries);
  const shown = (field: keyof typeof wrong) => tries > 0 && wrong[field];
  const make = useMutation<{ address: string }, ApiProblem>({
    mutationFn: () =>
      call(api.funding.createLink, {
        objectID,
        shownName: name,
        maxEachCents: each ?? 0,
        maxTotalCents: total ?? 0,
        maxCount: Number(count),
        days: Number(days),
      }),
    onSuccess: async ({ address }) => {
      onMade(address);
      await readAgain(api.funding.automations);
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (!isWrong) make.mutate();
  };
  return (
    <form className="automations-form" ref={form} noValidate onSubmit={send}>
      <TextInput
        label="Prénom à montrer"
        hint="C’est tout ce que vos proches verront de vous."
        autoComplete="off"
        maxLength={40}
        value={name}
        onValue={setName}
        error={shown("name")}
      />
      <AmountInput
        label="Au plus par paiement"
        cents={each}
        onCents={setEach}
        error={shown("each")}
      />
      <AmountInput
        label="Au plus en tout"
        cents={total}
        onCents={setTotal}
        error={shown("total")}
      />
      <TextInput
        label="Nombre de paiements"
        inputMode="numeric"
        autoComplete="off"
        value={count}
        onValue={setCount}
        error={shown("count")}
      />
      <Select label="Valable" options={lives} value={days} onValue={setDays} />
      {make.error && (
        <Banner tone="danger" alert title="Le lien n’a pas été créé.">
          {make.error.message}
        </Banner>
      )}
      <div className="automations-acts">
        <Button onClick={onClose}>Annuler</Button>
        <Button kind="primary" type="submit" loading={make.isPending}>
          Créer le lien
        </Button>
      </div>
    </form>
  );
}

/** Told once: only a digest of its secret is kept. */
function Made({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <div className="automations-form">
      <Banner tone="warning">
        Copiez-le maintenant&#8239;: il ne sera plus montré. Qui a ce lien peut recharger la
        cagnotte.
      </Banner>
      <div className="link-made">
        <QrCode text={address} label="QR du lien de recharge" />
        <p className="link-address">{address}</p>
      </div>
      <div className="automations-acts">
        <CopyButton text={address} label="Copier le lien" />
        <Button kind="primary" onClick={onClose}>
          C’est fait
        </Button>
      </div>
    </div>
  );
}
