// Adds one person to the order: who, and where they are told that their card is there.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { isEmail, trimEmail } from "#contract/email.ts";
import type { OrderedPerson } from "#contract/card-orders/rows.ts";
import { joinedName } from "#contract/french.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { PhoneInput } from "#web/ui/phone.tsx";
import { notify } from "#web/ui/toast.tsx";
import { useDraft } from "./use-draft.ts";

interface Typed {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
}

/** The part of the draft that stays as it is when somebody is added. */
export interface DraftState {
  revision: number;
  persons: readonly OrderedPerson[];
  blank: number;
}

export function PersonForm({ keep, onClose }: { keep: DraftState; onClose: () => void }) {
  const [e164, setE164] = useState<string | null>(null);
  const write = useDraft(api.cardOrders.persons);
  const sending = {
    ...write,
    mutateAsync: async ({ firstName, lastName, email, phone }: Typed) => {
      const added = {
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        email: trimEmail(email) || null,
        phonenumber: phone.trim() === "" ? null : (e164 ?? phone),
      };
      await write.mutateAsync({ ...keep, persons: [...keep.persons, added] });
      notify({ text: `${joinedName(added)} est ajouté à la commande.` });
      onClose();
    },
  };
  const { values, set, errorOf, field, problem, form } = useForm<Typed>(
    { firstName: "", lastName: "", email: "", phone: "" },
    (typed) => rulesOf(typed, e164),
    sending,
    { problemFields: { phone_invalid: "phone", phone_not_mobile: "phone" } },
  );
  return (
    <form {...form}>
      <TextInput label="Prénom" autoComplete="off" maxLength={60} {...field("firstName")} />
      <TextInput label="Nom" autoComplete="off" maxLength={60} {...field("lastName")} />
      <TextInput
        label="E-mail professionnel"
        hint="La personne y est prévenue quand sa carte est là, et y reçoit ses codes."
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
      <ProblemBanner problem={problem} title="La personne n’a pas été ajoutée." />
      <FormActions submit="Ajouter" isSending={write.isPending} onCancel={onClose} />
    </form>
  );
}

const rulesOf = (
  { firstName, lastName, email, phone }: Typed,
  e164: string | null,
): Faults<Typed> => ({
  // Somebody may have a single name, in either field.
  lastName: !/\p{L}/u.test(firstName + lastName) && "Indiquez le prénom, le nom, ou les deux.",
  email:
    trimEmail(email) !== "" &&
    !isEmail(email) &&
    "Vérifiez l’adresse, par exemple prenom.nom@entreprise.fr.",
  phone: phone.trim() !== "" && e164 === null && "Vérifiez le numéro, par exemple 06 12 34 56 78.",
});
