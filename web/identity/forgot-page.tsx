// « Mot de passe oublié » : the card, then the code and the new password, then done (spec §2).
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { useKeptStep } from "#web/app/kept-step.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { CardNumberInput } from "#web/ui/input.tsx";
import { PageHeader } from "#web/ui/layout.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { CodeRefusal } from "./code-refusal.tsx";
import { ForgotCode, type Sent } from "./forgot-code.tsx";
import { faultOfNumber, RecoveryForm } from "./recovery-form.tsx";
import styles from "./identity.module.css";

type Progress = ({ step: "code" } & Sent) | { step: "recovery" } | { step: "done" };

const steps = ["Votre carte", "Code et mot de passe", "Terminé"] as const;

export function ForgotPasswordPage() {
  const [progress, keep, back] = useKeptStep<Progress>("forgot");
  const current = progress === undefined ? 0 : progress.step === "done" ? 2 : 1;
  return (
    <>
      <PageHeader title="Mot de passe oublié" back={{ href: "/login", label: "Connexion" }} />
      <Stepper
        label="Étapes du nouveau mot de passe"
        steps={steps}
        current={current}
        onBack={current === 1 ? back : undefined}
      />
      {progress === undefined && (
        <>
          <AskForCode onSent={(sent) => keep({ step: "code", ...sent })} />
          <div className={styles.identityAgain}>
            <p>Ni votre téléphone ni votre e-mail à portée&#8239;?</p>
            <Button kind="ghost" onClick={() => keep({ step: "recovery" })}>
              Utiliser un code de secours
            </Button>
          </div>
        </>
      )}
      {progress?.step === "recovery" && (
        <RecoveryForm onDone={() => keep({ step: "done" }, "replace")} />
      )}
      {progress?.step === "code" && (
        <ForgotCode
          key={progress.login}
          sent={progress}
          onResent={(sent) => keep({ step: "code", ...sent }, "replace")}
          onDone={() => keep({ step: "done" }, "replace")}
        />
      )}
      {progress?.step === "done" && <Done />}
    </>
  );
}

function AskForCode({ onSent }: { onSent: (sent: Sent) => void }) {
  const ask = useMutation<Omit<Sent, "login" | "again">, ApiProblem, { number: string }>({
    mutationFn: ({ number }) => call(api.identity.forgot, { login: Number(number) }),
    onSuccess: (sent, { number }) => onSent({ ...sent, login: Number(number), again: false }),
  });
  const { field, form } = useForm({ number: "" }, faultOfNumber, ask);
  return (
    <form {...form}>
      <CardNumberInput
        label="Numéro de carte"
        hint="Il est imprimé sur votre carte. Nous envoyons un code à l’adresse enregistrée avec elle."
        autoComplete="username"
        {...field("number")}
      />
      {ask.error && <CodeRefusal problem={ask.error} />}
      <FormActions submit="Recevoir un code" wide isSending={ask.isPending} />
    </form>
  );
}

function Done() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.identityDone}>
      <Picture icon="check" tone="success" />
      <h2 ref={heading} tabIndex={-1}>
        Votre mot de passe est changé
      </h2>
      <p>
        Toutes les connexions ouvertes sur votre compte sont fermées. Vous pouvez vous connecter
        avec le nouveau mot de passe.
      </p>
      <ButtonLink kind="primary" wide href="/login">
        Se connecter
      </ButtonLink>
    </div>
  );
}
