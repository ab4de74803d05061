// E-mail and phone: shown, and changed in their own place with a code sent to the new one (spec.md 14).
import type { ComponentProps, ReactNode } from "react";
import { isEmail, trimEmail } from "#contract/email.ts";
import { codes } from "#contract/limits.ts";
import type { Proof } from "#web/app/transport/code-request.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { PhoneInput } from "#web/ui/phone.tsx";
import {
  ContactRow,
  type Contacts,
  type ContactCalls,
  type FormProps,
  PhoneRow,
  type RowProps,
} from "./contact-row.tsx";
import profileStyles from "./profile.module.css";

export const ContactRows = (row: RowProps) => (
  <ul>
    <EmailRow {...row} />
    <PhoneRow {...row} Form={PhoneForm} />
  </ul>
);

const EmailRow = ({ contacts, calls }: RowProps) => (
  <ContactRow
    icon="mail"
    label="Adresse e-mail"
    known={contacts.email}
    calls={calls}
    none="Aucune adresse e-mail"
    object="l’adresse e-mail"
    Form={EmailForm}
  />
);

function EmailForm({ known, calls, verb, onClose }: FormProps) {
  const change = useContactChange(
    "Adresse e-mail changée.",
    ({ email }: { email: string }, proof) => calls.email(trimEmail(email), proof),
    calls.keep,
    onClose,
  );
  const { field, problem, form } = useForm(
    { email: "" },
    ({ email }) => ({
      email: isEmail(email)
        ? trimEmail(email) === known && "C’est déjà votre adresse."
        : "Indiquez une adresse e-mail complète, par exemple nom@exemple.fr.",
    }),
    change,
    { problemFields: { invalid_input: "email" } },
  );
  return (
    <ContactForm {...{ form, verb, problem, onClose }} isSending={change.isPending}>
      <TextInput
        label="Nouvelle adresse e-mail"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to type it
        autoFocus
        {...field("email")}
      />
    </ContactForm>
  );
}

interface Phone {
  typed: string;
  /** The number in E.164, null while what is typed is none. */
  e164: string | null;
}

export function PhoneForm({ known, calls, verb, onClose }: FormProps) {
  const change = useContactChange(
    "Numéro de téléphone changé.",
    ({ e164 }: Phone, proof) => calls.phone(e164 ?? "", proof),
    calls.keep,
    onClose,
  );
  const { values, set, errorOf, problem, form } = useForm<Phone>(
    { typed: "", e164: null },
    ({ e164 }) => ({
      typed:
        e164 === null
          ? "Indiquez un numéro complet, par exemple 06 12 34 56 78."
          : e164 === known && "C’est déjà votre numéro.",
    }),
    change,
    {
      problemFields: { phone_invalid: "typed", phone_not_mobile: "typed", invalid_input: "typed" },
    },
  );
  return (
    <ContactForm {...{ form, verb, problem, onClose }} isSending={change.isPending}>
      <PhoneInput
        label="Nouveau numéro de téléphone"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to type it
        autoFocus
        value={values.typed}
        onValue={(typed, e164) => set({ typed, e164 })}
        error={errorOf("typed")}
      />
    </ContactForm>
  );
}

function ContactForm({
  form,
  verb,
  problem,
  isSending,
  onClose,
  children,
}: Pick<FormProps, "verb" | "onClose"> & {
  form: ComponentProps<"form">;
  problem: { message: string } | null;
  isSending: boolean;
  children: ReactNode;
}) {
  return (
    <form {...form} className={`${form.className} ${profileStyles.contactForm}`} aria-label={verb}>
      {children}
      <p className="field-hint">
        Pendant les {codes.channelStandsHours} heures qui suivent, vos codes n’y arrivent pas
        encore. Un paiement important, de l’argent à envoyer ou un mot de passe oublié se confirment
        alors par votre autre coordonnée ou une clé d’accès&#8239;; sans elles, il faut attendre.
      </p>
      <ProblemBanner problem={problem} title="Rien n’a été changé." />
      <FormActions submit="Recevoir un code" isSending={isSending} onCancel={onClose} />
    </form>
  );
}

function useContactChange<Typed>(
  done: string,
  send: (typed: Typed, proof: Proof) => Promise<Contacts>,
  keep: ContactCalls["keep"],
  onDone: () => void,
) {
  return useAction(send, {
    says: done,
    onDone: async (contacts) => {
      await keep(contacts);
      onDone();
    },
  });
}
