// Another bank account for the company. What follows (code, delay, second owner) is said before it is sent.
import { api } from "#contract/api.ts";
import { electronicIban, needsBic } from "#contract/companies/iban.ts";
import { bankChange } from "#contract/companies/limits.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";

interface Typed {
  iban: string;
  bic: string;
  holderName: string;
}

export function BankForm({ onClose }: { onClose: () => void }) {
  const change = useAction(
    ({ iban, bic, holderName }: Typed, proof) =>
      call(api.companies.changeBankAccount, {
        iban,
        bic: bic.trim() || null,
        holderName: holderName.trim(),
        ...proof,
      }),
    { says: "Le changement de compte est demandé.", onDone: onClose },
  );
  const rules = ({ iban, bic, holderName }: Typed): Faults<Typed> => ({
    iban:
      electronicIban(iban).length < 15 &&
      "Saisissez l’IBAN entier, tel qu’il est sur votre relevé d’identité bancaire.",
    bic:
      bic.trim() === "" &&
      needsBic(electronicIban(iban)) &&
      "Ce pays demande aussi le BIC, écrit sur le relevé d’identité bancaire.",
    holderName: !/\p{L}/u.test(holderName) && "Indiquez le nom du titulaire du compte.",
  });
  const { values, field, problem, form } = useForm<Typed>(
    { iban: "", bic: "", holderName: "" },
    rules,
    change,
    {
      problemFields: {
        iban_invalid: "iban",
        bank_iban_country: "iban",
        bank_same: "iban",
        bank_bic_invalid: "bic",
        bank_bic_missing: "bic",
        bank_holder_letters: "holderName",
      },
    },
  );
  return (
    <form {...form}>
      <TextInput
        label="IBAN"
        hint="Il commence par deux lettres, FR pour la France. Les espaces ne comptent pas."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        {...field("iban")}
      />
      <TextInput
        label="BIC"
        optional={!needsBic(electronicIban(values.iban))}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        {...field("bic")}
      />
      <TextInput
        label="Titulaire du compte"
        hint="Le nom écrit sur le relevé d’identité bancaire."
        autoComplete="organization"
        maxLength={70}
        {...field("holderName")}
      />
      <p>
        Votre identité vous sera demandée. Tous les responsables sont prévenus, et aucun paiement ne
        part pendant {bankChange.freezeHours} heures : jusque-là, le changement peut être annulé.
      </p>
      <ProblemBanner problem={problem} title="Le compte n’a pas changé." />
      <FormActions
        submit="Demander ce changement"
        isSending={change.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
