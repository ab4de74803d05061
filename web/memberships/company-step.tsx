// The step of the company: as its register says it, and what it does.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { groupSiren, isSiret, vatNumberOf } from "#contract/companies/siren.ts";
import { type LegalForm, legalForms } from "#contract/memberships/states.ts";
import { legalFormNames } from "#contract/memberships/words.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup, Select } from "#web/ui/choice.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import styles from "./memberships.module.css";
import { draftName, refusalOf, useStep } from "./use-membership.ts";

interface Fields {
  siret: string;
  name: string;
  legalForm: LegalForm | "";
  street: string;
  postcode: string;
  town: string;
  vat: "yes" | "no" | null;
  category: string;
}

export interface PartProps {
  page: MembershipPage;
  onDone: () => void;
  /** Instead of « Continuer »: the part is corrected by itself. */
  submit?: string;
}

const firstOf = ({ membership }: MembershipPage): Fields => {
  const company = membership?.company;
  if (!company) {
    const empty = { siret: "", name: "", street: "", postcode: "", town: "", category: "" };
    return { ...empty, legalForm: "", vat: null };
  }
  const { siret, owesVat, ...rest } = company;
  return { ...rest, siret: groupSiren(siret), vat: owesVat ? "yes" : "no" };
};

const digitsOf = (typed: string) => typed.replaceAll(/\D/g, "");

/** Begins again from what is kept once the server has refused an outdated write. */
export function CompanyStep(props: PartProps) {
  const [base, setBase] = useState(props.page);
  const { onDone } = props;
  const write = useStep(api.memberships.company, { onDone, onOutdated: setBase });
  return <Form key={base.membership?.version ?? 0} {...props} base={base} write={write} />;
}

function Form({
  page,
  base,
  write,
  submit = "Continuer",
}: PartProps & {
  base: MembershipPage;
  write: ReturnType<typeof useStep<typeof api.memberships.company>>;
}) {
  const membership = base.membership;
  const version = membership === null || membership.state === "rejected" ? 0 : membership.version;
  const sending = {
    ...write,
    error: refusalOf(write.error),
    mutateAsync: ({ vat, legalForm, siret, ...texts }: Fields) =>
      write.mutateAsync({
        ...texts,
        service: page.service.code,
        version,
        siret: digitsOf(siret),
        legalForm: legalForm || "other",
        owesVat: vat !== "no",
      }),
  };
  const { field, values, set, problem, form } = useForm<Fields>(firstOf(base), rules, sending, {
    draft: {
      name: draftName("company", base),
      fields: ["siret", "name", "legalForm", "street", "postcode", "town", "vat", "category"],
    },
    problemFields: {
      siret_invalid: "siret",
      company_known: "siret",
      membership_company_open: "siret",
    },
  });
  const digits = digitsOf(values.siret);
  return (
    <form {...form}>
      <StepHeading>Votre entreprise</StepHeading>
      <TextInput
        label="SIRET du siège"
        hint={
          isSiret(digits)
            ? `SIREN ${groupSiren(digits.slice(0, 9))}, TVA ${vatNumberOf(digits.slice(0, 9))}`
            : "14 chiffres, sur votre Kbis ou votre avis Insee."
        }
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        {...field("siret")}
        onValue={(typed) => set({ siret: groupSiren(digitsOf(typed).slice(0, 14)) })}
      />
      <TextInput
        label="Nom de l’entreprise"
        hint="Sa raison sociale, comme au registre."
        autoComplete="organization"
        maxLength={120}
        {...field("name")}
      />
      <Select
        label="Forme juridique"
        placeholder="Choisir une forme"
        options={legalForms.map((value) => ({ value, label: legalFormNames[value] }))}
        {...field("legalForm")}
        value={values.legalForm}
        onValue={(legalForm) => set({ legalForm })}
      />
      <TextInput
        label="Adresse du siège"
        autoComplete="street-address"
        maxLength={160}
        {...field("street")}
      />
      <div className={styles.town}>
        <TextInput
          label="Code postal"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          {...field("postcode")}
        />
        <TextInput label="Ville" autoComplete="address-level2" maxLength={80} {...field("town")} />
      </div>
      <RadioGroup
        label="TVA"
        options={[
          { value: "yes", label: "L’entreprise facture la TVA" },
          { value: "no", label: "Elle ne la facture pas (article 293 B du CGI)" },
        ]}
        {...field("vat")}
        onValue={(vat: "yes" | "no") => set({ vat })}
      />
      <Select
        label="Activité"
        hint="Où l’on vous trouvera dans l’annuaire."
        placeholder="Choisir une activité"
        options={page.categories.map(({ id, name, top }) => ({
          value: id,
          label: name === top ? name : `${top} · ${name}`,
        }))}
        {...field("category")}
      />
      <ProblemBanner problem={problem} title="Rien n’a été enregistré." />
      <FormActions submit={submit} iconEnd="forward" isSending={write.isPending} />
    </form>
  );
}

const siretFault = (digits: string) => {
  if (digits.length < 14) return "Indiquez les 14 chiffres du SIRET.";
  return !isSiret(digits) && "Ce SIRET n’existe pas. Vérifiez ses 14 chiffres.";
};

const rules = ({ siret, name, legalForm, street, postcode, town, vat, category }: Fields) => ({
  siret: siretFault(digitsOf(siret)),
  name: name.trim() === "" && "Indiquez le nom de l’entreprise.",
  legalForm: legalForm === "" && "Choisissez la forme juridique.",
  street: street.trim() === "" && "Indiquez le numéro et la rue.",
  postcode: !/^\d{5}$/.test(postcode) && "Indiquez les 5 chiffres.",
  town: town.trim() === "" && "Indiquez la ville.",
  vat: vat === null && "Dites si l’entreprise facture la TVA.",
  category: category === "" && "Choisissez une activité.",
});
