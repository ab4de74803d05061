// E-mail and phone: shown, and changed in their own place with a code sent to the new one (spec.md 14).
import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, type ComponentType, type ReactNode, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { keyOf, queryClient, readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { currentUser, keepUser } from "#web/app/session.ts";
import type { CodeAbandoned, Proof } from "#web/app/code-request.ts";
import { withCode } from "#web/app/step-up.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { IconTile } from "#web/ui/icon-tile.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { PhoneInput } from "#web/ui/phone.tsx";
import { notify } from "#web/ui/toast.tsx";
import profileStyles from "./profile.module.css";

type Profile = Output<typeof api.identity.profile>;

export const EmailRow = ({ profile }: { profile: Profile }) => (
  <ContactRow
    icon="mail"
    label="Adresse e-mail"
    known={profile.email}
    none="Aucune adresse e-mail"
    object="l’adresse e-mail"
    Form={EmailForm}
  />
);

export const PhoneRow = ({ profile }: { profile: Profile }) => (
  <ContactRow
    icon="phone"
    label="Téléphone"
    known={profile.phonenumber}
    shown={profile.phonenumber && frenchPhone(profile.phonenumber)}
    none="Aucun téléphone"
    object="le téléphone"
    Form={PhoneForm}
  />
);

/** « 06 12 34 56 78 » for a French number, the international form for another. */
const frenchPhone = (e164: string): string =>
  /^\+33\d{9}$/.test(e164) ? `0${e164.slice(3)}`.replaceAll(/(\d\d)(?=\d)/g, "$1 ") : e164;

interface FormProps {
  /** The contact of now, null when there is none. */
  known: string | null;
  /** The whole name of what the form does. */
  verb: string;
  onClose: () => void;
}

function EmailForm({ known, verb, onClose }: FormProps) {
  const change = useContactChange(
    "Adresse e-mail changée.",
    ({ email }: { email: string }, proof) =>
      call(api.identity.changeEmail, { email: email.trim(), ...proof }),
    onClose,
  );
  const { field, problem, form } = useForm(
    { email: "" },
    ({ email }) => ({
      email: /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email.trim())
        ? email.trim() === known && "C’est déjà votre adresse."
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

function PhoneForm({ known, verb, onClose }: FormProps) {
  const change = useContactChange(
    "Numéro de téléphone changé.",
    ({ e164 }: Phone, proof) =>
      call(api.identity.changePhone, { phonenumber: e164 ?? "", ...proof }),
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
    { problemFields: { phone_invalid: "typed", invalid_input: "typed" } },
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
      <ProblemBanner problem={problem} title="Rien n’a été changé." />
      <FormActions submit="Recevoir un code" isSending={isSending} onCancel={onClose} />
    </form>
  );
}

function useContactChange<Typed>(
  done: string,
  send: (typed: Typed, proof: Proof) => Promise<Profile>,
  onDone: () => void,
) {
  return useMutation<Profile, ApiProblem | CodeAbandoned, Typed>({
    mutationFn: (typed) => withCode((proof) => send(typed, proof)),
    onSuccess: async (profile) => {
      queryClient.setQueryData(keyOf(api.identity.profile, {}), profile);
      notify({ text: done, kind: "success" });
      const user = currentUser.get();
      const { email, phonenumber } = profile;
      if (user) await keepUser({ ...user, email, phonenumber });
      await readAgain(api.identity.activity);
      onDone();
    },
  });
}

function ContactRow({
  icon,
  label,
  known,
  shown = known,
  none,
  object,
  Form,
}: Pick<FormProps, "known"> & {
  icon: IconName;
  label: string;
  shown?: string | null;
  none: string;
  /** What the verb of the button is about. */
  object: string;
  Form: ComponentType<FormProps>;
}) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const short = known ? "Modifier" : "Ajouter";
  const verb = `${short} ${object}`;
  return (
    <li className={profileStyles.contact}>
      <div className={profileStyles.contactShown}>
        <IconTile icon={icon} />
        <p className={profileStyles.contactText}>
          <span className={profileStyles.contactLabel}>{label}</span>
          <span className={profileStyles.contactValue}>{shown ?? none}</span>
        </p>
        {!open && (
          <Button
            ref={opener}
            size="small"
            aria-label={verb}
            aria-expanded={open}
            onClick={() => setOpen(true)}
          >
            {short}
          </Button>
        )}
      </div>
      {open && <Form known={known} verb={verb} onClose={close} />}
    </li>
  );
}
