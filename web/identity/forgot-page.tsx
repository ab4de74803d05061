// « Mot de passe oublié » : the card, then the code and the new password, then done (spec §2).
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { call } from "#web/app/transport/api.ts";
import { useHistoryState } from "./use-history-state.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { forgottenDraft, keepDraft, readDraft } from "#web/ui/draft.ts";
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
  const [progress, keep, back] = useHistoryState<Progress>("forgot");
  const login = linkTo(paths.login, {}, useReturn());
  const first = useNumberOfLogin();
  const current = progress === undefined ? 0 : progress.step === "done" ? 2 : 1;
  return (
    <>
      <PageHeader title="Mot de passe oublié" back={{ href: login, label: "Connexion" }} />
      <Stepper
        label="Étapes du nouveau mot de passe"
        steps={steps}
        current={current}
        onBack={current === 1 ? back : undefined}
      />
      {progress === undefined && (
        <>
          <AskForCode first={first} onSent={(sent) => keep({ step: "code", ...sent })} />
          <div className={styles.identityAgain}>
            <p>Ni votre téléphone ni votre e-mail à portée&#8239;?</p>
            <Button kind="ghost" onClick={() => keep({ step: "recovery" })}>
              Utiliser un code de secours
            </Button>
          </div>
        </>
      )}
      {progress?.step === "recovery" && (
        <RecoveryForm first={first} onDone={() => keep({ step: "done" }, "replace")} />
      )}
      {progress?.step === "code" && (
        <ForgotCode
          key={progress.login}
          sent={progress}
          onResent={(sent) => keep({ step: "code", ...sent }, "replace")}
          onDone={() => keep({ step: "done" }, "replace")}
        />
      )}
      {progress?.step === "done" && <Done login={login} />}
    </>
  );
}

/** The number typed at the login: it comes in the fragment, and is then kept in this tab alone. */
function useNumberOfLogin(): string {
  const { history } = useRouter();
  const [number] = useState(
    () => numberInFragment() ?? readDraft(forgottenDraft, { number: "" }).number,
  );
  useEffect(() => {
    if (numberInFragment() === null) return;
    keepDraft(forgottenDraft, { number });
    history.replace(location.pathname + location.search);
  }, [history, number]);
  return number;
}

const numberInFragment = (): string | null => /^#(\d{1,10})$/.exec(location.hash)?.[1] ?? null;

/** Where one was going, for the login that follows. */
function useReturn(): { returnTo: string | undefined } {
  const [{ returnTo }] = useSearchParameters<"forgotPassword">();
  return { returnTo };
}

function AskForCode({ first, onSent }: { first: string; onSent: (sent: Sent) => void }) {
  const ask = useAction(
    ({ number }: { number: string }) => call(api.identity.forgot, { login: Number(number) }),
    { onDone: (sent, { number }) => onSent({ ...sent, login: Number(number), again: false }) },
  );
  const { field, form } = useForm({ number: first }, faultOfNumber, ask, { isLeftFreely: true });
  return (
    <form {...form}>
      <CardNumberInput
        label="Numéro de carte"
        hint="Il est imprimé sur votre carte. Nous envoyons un code à l’adresse enregistrée avec elle."
        autoComplete="username"
        {...field("number")}
      />
      {ask.problem && <CodeRefusal problem={ask.problem} />}
      <FormActions submit="Recevoir un code" wide isSending={ask.isPending} />
    </form>
  );
}

function Done({ login }: { login: string }) {
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
      <ButtonLink kind="primary" wide href={login}>
        Se connecter
      </ButtonLink>
    </div>
  );
}
