import { useState } from "react";
import { AmountInput } from "#web/ui/amount.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, Chips, RadioGroup, Select, Switch } from "#web/ui/choice.tsx";
import { Combobox } from "#web/ui/combobox.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { CardNumberInput, PasswordInput, TextArea, TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { OtpInput } from "#web/ui/otp.tsx";
import { PhoneInput } from "#web/ui/phone.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";
import styles from "./gallery.module.css";

const towns = ["Brest", "Concarneau", "Île-Tudy", "Lorient", "Quimper", "Vannes"].map((label) => ({
  value: label,
  label,
}));
const kinds = [
  { value: "in", label: "Entrées", count: 12 },
  { value: "out", label: "Dépenses", count: 48 },
  { value: "held", label: "Réservé" },
  { value: "refused", label: "Refusé", count: 0, disabled: true },
] as const;

function Texts() {
  const [number, setNumber] = useState("1000000016");
  const [password, setPassword] = useState("");
  const [phone, setPhone] = useState("");
  const [name, setName] = useState("");
  const [day, setDay] = useState("");
  const [note, setNote] = useState("");
  return (
    <Section title="Champs">
      <div className={styles.columns}>
        <CardNumberInput
          label="Numéro de carte"
          hint="Les 10 chiffres au dos de votre carte."
          value={number}
          onValue={setNumber}
        />
        <PasswordInput label="Mot de passe" value={password} onValue={setPassword} />
        <TextInput
          label="Adresse e-mail"
          type="email"
          value={name}
          onValue={setName}
          error="Cette adresse n’est pas complète : il manque ce qui suit «&nbsp;@&nbsp;»."
        />
        <PhoneInput label="Téléphone" value={phone} onValue={setPhone} optional />
        <DateField
          label="Jour du voyage"
          hint="Du 24/11/2026 au 30/06/2027."
          min="2026-11-24"
          max="2027-06-30"
          live
          value={day}
          onValue={setDay}
        />
        <TextInput label="Lecture seule" value="Valeur fixée" onValue={setName} readOnly />
        <TextArea label="Message" value={note} onValue={setNote} />
      </div>
    </Section>
  );
}

function Choices() {
  const [town, setTown] = useState<string | null>("Quimper");
  const [month, setMonth] = useState<"nov" | "dec" | "">("");
  const [meal, setMeal] = useState<"a" | "b" | null>("a");
  const [agreed, setAgreed] = useState(true);
  const [hasAlert, setHasAlert] = useState(true);
  const [kind, setKind] = useState<(typeof kinds)[number]["value"][]>(["in"]);
  return (
    <Section title="Choix">
      <div className={styles.columns}>
        <RadioGroup
          label="Formule"
          boxed
          value={meal}
          onValue={setMeal}
          options={[
            { value: "a", label: "Mensuelle", hint: "12,50 € par mois, sans engagement" },
            { value: "b", label: "Annuelle", hint: "120 € par an, deux mois offerts" },
          ]}
        />
        <Stack>
          <Combobox label="Commune" options={towns} value={town} onValue={setTown} />
          <Select
            label="Mois"
            placeholder="Choisir un mois"
            value={month}
            onValue={setMonth}
            options={[
              { value: "nov", label: "Novembre 2026" },
              { value: "dec", label: "Décembre 2026" },
            ]}
          />
        </Stack>
        <Stack gap={8}>
          <Checkbox
            label="J’accepte les conditions"
            hint="Vous pourrez changer d’avis."
            checked={agreed}
            onChecked={setAgreed}
          />
          <Checkbox
            label="Sans accord"
            checked={false}
            error="Cochez pour continuer."
            onChecked={setAgreed}
          />
          <Switch
            label="M’avertir d’un solde bas"
            hint="Sous 10 €"
            checked={hasAlert}
            onChecked={setHasAlert}
          />
          <Switch
            label="Messages du partenaire"
            checked={!hasAlert}
            onChecked={() => setHasAlert(!hasAlert)}
          />
        </Stack>
        <Chips
          label="Filtrer"
          options={kinds}
          value={kind}
          onValue={(one) =>
            setKind(kind.includes(one) ? kind.filter((other) => other !== one) : [...kind, one])
          }
        />
      </div>
    </Section>
  );
}

function Files() {
  const [files, setFiles] = useState<readonly UploadedFile[]>([
    { id: "a", name: "Facture de juillet.pdf", kind: "pdf", bytes: 412_000 },
    {
      id: "b",
      name: "Photo du reçu de la cantine municipale.jpg",
      kind: "image",
      bytes: 1_480_000,
    },
  ]);
  return (
    <Section title="Fichiers">
      <Upload
        label="Pièces jointes"
        optional
        files={files}
        onFiles={setFiles}
        send={async (file) => {
          if (file.size > 5_000_000) throw new Error("Ce fichier est trop lourd : 5 Mo au plus.");
          return { id: file.name, name: file.name, kind: "pdf", bytes: file.size };
        }}
      />
    </Section>
  );
}

/** Fields, choices, amounts, codes, steps, buttons. */
export function FormParts() {
  const [cents, setCents] = useState<number | null>(2000);
  const [code, setCode] = useState("42");
  return (
    <>
      <Texts />
      <Choices />
      <div className={styles.columns}>
        <Section title="Montant">
          <AmountInput
            label="Montant de la recharge"
            hint="De 5 € à 500 €."
            cents={cents}
            onCents={setCents}
            presetsCents={[1000, 2000, 5000, 10_000]}
          />
        </Section>
        <Section title="Code">
          <OtpInput
            label="Code reçu par SMS"
            hint="Envoyé au 06 •• •• •• 78."
            value={code}
            onValue={setCode}
          />
        </Section>
      </div>
      <Files />
      <Section title="Étapes">
        <Stepper
          label="Recharge"
          steps={["Montant", "Vérification", "Paiement", "Terminé"]}
          current={1}
          onBack={() => undefined}
        />
      </Section>
      <Section title="Boutons">
        <Row>
          <Button kind="primary">Recharger 20 €</Button>
          <Button kind="primary" loading>
            Recharger 20 €
          </Button>
          <Button>Annuler</Button>
          <Button kind="ghost">Plus tard</Button>
          <Button kind="danger">Opposer la carte</Button>
          <Button kind="alert" icon="refresh">
            rafraîchir
          </Button>
          <Button disabled>Indisponible</Button>
          <Button size="small" icon="download">
            Relevé PDF
          </Button>
        </Row>
        <Button kind="primary" wide>
          Se connecter
        </Button>
      </Section>
    </>
  );
}
