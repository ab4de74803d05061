// Gives a card that waits to a person: who, where they are reached, and what they do in the company.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { isEmail, trimEmail } from "#contract/email.ts";
import type { ProCard } from "#contract/companies/pro-cards.ts";
import { companyCan, type CompanyRole, companyRoles } from "#contract/companies/roles.ts";
import { codes } from "#contract/limits.ts";
import { call } from "#web/app/transport/api.ts";
import { RoleChoice } from "#web/app/shared/role-choice.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { PhoneInput } from "#web/ui/phone.tsx";

interface Typed {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  roles: CompanyRole[];
}

/** Only somebody who has their card can become an owner. */
const colleagueRoles = companyRoles.filter((role) => !companyCan.decide([role]));

export function AssignForm({ card, onClose }: { card: ProCard; onClose: () => void }) {
  const [e164, setE164] = useState<string | null>(null);
  const assign = useAction(
    ({ firstName, lastName, email, phone, roles }: Typed, proof) =>
      call(api.companies.assignProCard, {
        cardnumber: card.cardnumber,
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        email: trimEmail(email) || null,
        phonenumber: phone.trim() === "" ? null : (e164 ?? phone),
        roles,
        ...proof,
      }),
    { says: ({ name }) => `Carte attribuée à ${name}.`, onDone: onClose },
  );
  const rules = ({ firstName, lastName, email, phone }: Typed): Faults<Typed> => ({
    firstName: !/\p{L}/u.test(firstName) && "Indiquez le prénom.",
    lastName: lastName.trim() !== "" && !/\p{L}/u.test(lastName) && "Vérifiez le nom.",
    email:
      trimEmail(email) !== "" &&
      !isEmail(email) &&
      "Vérifiez l’adresse, par exemple prenom.nom@entreprise.fr.",
    phone:
      phone.trim() !== "" && e164 === null && "Vérifiez le numéro, par exemple 06 12 34 56 78.",
  });
  const { values, set, errorOf, field, problem, form } = useForm<Typed>(
    { firstName: "", lastName: "", email: "", phone: "", roles: [] },
    rules,
    assign,
    { problemFields: { phone_invalid: "phone", phone_not_mobile: "phone" } },
  );
  return (
    <form {...form}>
      <TextInput label="Prénom" autoComplete="off" maxLength={60} {...field("firstName")} />
      <TextInput
        label="Nom"
        hint="Laissez vide si la personne n’a qu’un seul nom."
        required={false}
        autoComplete="off"
        maxLength={60}
        {...field("lastName")}
      />
      <TextInput
        label="E-mail professionnel"
        hint={`La personne y est prévenue, et y reçoit ses codes au bout de ${codes.channelStandsHours} heures.`}
        type="email"
        optional
        autoComplete="off"
        maxLength={254}
        {...field("email")}
      />
      <PhoneInput
        label="Téléphone"
        optional
        autoComplete="off"
        value={values.phone}
        onValue={(phone, valid) => {
          setE164(valid);
          set({ phone });
        }}
        error={errorOf("phone")}
      />
      <RoleChoice roles={values.roles} onRoles={(roles) => set({ roles })} among={colleagueRoles} />
      <ProblemBanner problem={problem} title="La carte n’a pas été attribuée." />
      <FormActions submit="Attribuer la carte" isSending={assign.isPending} onCancel={onClose} />
    </form>
  );
}
