// E-mail and phone: shown, and changed in their own place with a code sent to the new one (spec.md 14).
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { keyOf, queryClient, readAgain } from "#web/app/answers.ts";
import { ApiProblem, call } from "#web/app/api.ts";
import { currentUser, keepUser } from "#web/app/session.ts";
import { CodeAbandoned, type Proof } from "#web/app/code-request.ts";
import { withCode } from "#web/app/step-up.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { IconTile } from "#web/ui/icon-tile.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { PhoneInput } from "#web/ui/phone.tsx";
import { notify } from "#web/ui/toast.tsx";
import identityStyles from "./identity.module.css";
import profileStyles from "./profile.module.css";

type Profile = Output<typeof api.identity.profile>;

export function EmailRow({ profile }: { profile: Profile }) {
  const [typed, setTyped] = useState("");
  const change = useContactChange("Adresse e-mail changée.", (email: string, proof) =>
    call(api.identity.changeEmail, { email, ...proof }),
  );
  const email = typed.trim();
  const wrongOf = () => {
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email)) {
      return "Indiquez une adresse e-mail complète, par exemple nom@exemple.fr.";
    }
    return email === profile.email ? "C’est déjà votre adresse." : null;
  };
  return (
    <ContactRow
      icon="mail"
      label="Adresse e-mail"
      value={profile.email}
      none="Aucune adresse e-mail"
      verb={`${profile.email ? "Modifier" : "Ajouter"} l’adresse e-mail`}
      short={profile.email ? "Modifier" : "Ajouter"}
      change={change}
      wrongOf={wrongOf}
      onSend={() => change.mutate(email)}
      onClose={() => setTyped("")}
      refusedAt={["invalid_input"]}
    >
      {(error) => (
        <TextInput
          label="Nouvelle adresse e-mail"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={typed}
          onValue={setTyped}
          error={error}
        />
      )}
    </ContactRow>
  );
}

export function PhoneRow({ profile }: { profile: Profile }) {
  const [typed, setTyped] = useState({ text: "", e164: null as string | null });
  const change = useContactChange("Numéro de téléphone changé.", (phone: string, proof) =>
    call(api.identity.changePhone, { phonenumber: phone, ...proof }),
  );
  const wrongOf = () => {
    if (typed.e164 === null) return "Indiquez un numéro complet, par exemple 06 12 34 56 78.";
    return typed.e164 === profile.phonenumber ? "C’est déjà votre numéro." : null;
  };
  return (
    <ContactRow
      icon="phone"
      label="Téléphone"
      value={profile.phonenumber && frenchPhone(profile.phonenumber)}
      none="Aucun téléphone"
      verb={`${profile.phonenumber ? "Modifier" : "Ajouter"} le téléphone`}
      short={profile.phonenumber ? "Modifier" : "Ajouter"}
      change={change}
      wrongOf={wrongOf}
      onSend={() => typed.e164 && change.mutate(typed.e164)}
      onClose={() => setTyped({ text: "", e164: null })}
      refusedAt={["phone_invalid", "invalid_input"]}
    >
      {(error) => (
        <PhoneInput
          label="Nouveau numéro de téléphone"
          value={typed.text}
          onValue={(text, e164) => setTyped({ text, e164 })}
          error={error}
        />
      )}
    </ContactRow>
  );
}

/** « 06 12 34 56 78 » for a French number, the international form for another. */
const frenchPhone = (e164: string): string =>
  /^\+33\d{9}$/.test(e164) ? `0${e164.slice(3)}`.replaceAll(/(\d\d)(?=\d)/g, "$1 ") : e164;

type Change = ReturnType<typeof useContactChange>;

function useContactChange(done: string, send: (contact: string, proof: Proof) => Promise<Profile>) {
  return useMutation<Profile, ApiProblem | CodeAbandoned, string>({
    mutationFn: (contact) => withCode((proof) => send(contact, proof)),
    onSuccess: async (profile) => {
      queryClient.setQueryData(keyOf(api.identity.profile, {}), profile);
      notify({ text: done, kind: "success" });
      const user = currentUser.get();
      const { email, phonenumber } = profile;
      if (user) await keepUser({ ...user, email, phonenumber });
      await readAgain(api.identity.activity);
    },
  });
}

function ContactRow({
  icon,
  label,
  value,
  none,
  verb,
  short,
  change,
  wrongOf,
  onSend,
  onClose,
  refusedAt,
  children,
}: {
  icon: IconName;
  label: string;
  value: string | null;
  none: string;
  /** What the button does, whole; `short` is what it shows. */
  verb: string;
  short: string;
  change: Change;
  wrongOf: () => string | null;
  onSend: () => void;
  onClose: () => void;
  /** Refusals told at the field; the others stand under it. */
  refusedAt: readonly string[];
  children: (error: string | undefined) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const [wrong, setWrong] = useState<{ text: string } | null>(null);
  const form = useFirstError<HTMLFormElement>(wrong);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    setWrong(null);
    change.reset();
    onClose();
    requestAnimationFrame(() => opener.current?.focus());
  };
  const { isSuccess } = change;
  useEffect(() => {
    if (isSuccess) close();
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the change is done
  }, [isSuccess]);
  useEffect(() => {
    if (open) form.current?.querySelector("input")?.focus();
  }, [open, form]);
  const problem = change.error instanceof ApiProblem ? change.error : null;
  const atField = problem && refusedAt.includes(problem.code) ? problem.message : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const text = wrongOf();
    setWrong(text === null ? null : { text });
    if (text === null) onSend();
  };
  return (
    <li className={profileStyles.contact}>
      <div className={profileStyles.contactShown}>
        <IconTile icon={icon} />
        <p className={profileStyles.contactText}>
          <span className={profileStyles.contactLabel}>{label}</span>
          <span className={profileStyles.contactValue}>{value ?? none}</span>
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
      {open && (
        <form
          ref={form}
          id={id}
          className={`${identityStyles.identityForm} ${profileStyles.contactForm}`}
          noValidate
          onSubmit={submit}
          aria-label={verb}
        >
          {children(wrong?.text ?? atField)}
          {problem && !atField && (
            <Banner tone="danger" alert title="Rien n’a été changé.">
              {problem.message}
            </Banner>
          )}
          <div className={profileStyles.contactActs}>
            <Button kind="primary" type="submit" loading={change.isPending}>
              Recevoir un code
            </Button>
            <Button kind="ghost" disabled={change.isPending} onClick={close}>
              Annuler
            </Button>
          </div>
        </form>
      )}
    </li>
  );
}
