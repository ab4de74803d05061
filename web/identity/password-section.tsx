// The password: when it changed, and changing it. The other sessions end with it.
import { useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { call } from "#web/app/transport/api.ts";
import { ownCardnumber } from "#web/app/transport/session.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { PasswordInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Text } from "#web/ui/text.tsx";
import profileStyles from "./profile.module.css";
import { choiceProblems, NewPasswordInput, wrongChoice } from "./new-password.tsx";

/** `changedAt` is an instant, null when it never changed, undefined while it is not known. */
export function PasswordSection({ changedAt }: { changedAt: string | null | undefined }) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = (message: string | null) => {
    setOpen(false);
    setDone(message);
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <Section title="Mot de passe">
      {done !== null && (
        <Banner tone="success" alert>
          {done}
        </Banner>
      )}
      {open ? (
        <ChangeForm onDone={close} onCancel={() => close(null)} />
      ) : (
        <div className={profileStyles.passwordRow}>
          <Text tone="soft" size="fine">
            {changedAt ? (
              <>
                Changé le <DateText at={changedAt} time />
              </>
            ) : (
              "Connu de vous seul."
            )}
          </Text>
          <Button ref={opener} size="small" icon="lock" onClick={() => setOpen(true)}>
            Changer le mot de passe
          </Button>
        </div>
      )}
    </Section>
  );
}

interface Typed {
  current: string;
  password: string;
}

function ChangeForm({
  onDone,
  onCancel,
}: {
  onDone: (message: string) => void;
  onCancel: () => void;
}) {
  const user = useUser();
  const change = useAction((typed: Typed) => call(api.identity.changePassword, typed), {
    onDone: ({ message }) => onDone(message),
  });
  const { field, problem, form } = useForm<Typed>(
    { current: "", password: "" },
    ({ current, password }) => ({
      current: current === "" && "Indiquez votre mot de passe actuel.",
      password: wrongChoice(password),
    }),
    change,
    { problemFields: { ...choiceProblems, wrong_password: "current" } },
  );
  return (
    <form {...form}>
      <input type="text" autoComplete="username" value={ownCardnumber(user)} readOnly hidden />
      <PasswordInput
        label="Mot de passe actuel"
        maxLength={128}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to type it
        autoFocus
        {...field("current")}
      />
      <NewPasswordInput {...field("password")} />
      <ProblemBanner problem={problem} title="Le mot de passe n’a pas été changé." />
      <Text tone="soft" size="fine">
        Vos autres connexions seront fermées. Celle-ci reste ouverte.
      </Text>
      <FormActions
        submit="Enregistrer le mot de passe"
        isSending={change.isPending}
        onCancel={onCancel}
      />
    </form>
  );
}
