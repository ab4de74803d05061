// Second step of a forgotten password: the code received and the password that replaces it.
import { api } from "#contract/api.ts";
import { formatCardnumber, formatTime } from "#contract/french.ts";
import { codes } from "#contract/limits.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { DemoNote } from "#web/app/shared/demo-note.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { OtpInput } from "#web/ui/otp.tsx";
import { CodeRefusal } from "./code-refusal.tsx";
import { choiceProblems, NewPasswordInput, wrongChoice } from "./new-password.tsx";
import { useSignInAfterReset } from "./sign-in-after-reset.ts";
import styles from "./identity.module.css";

/** A code on its way to whoever has the card, if anybody does. */
export interface Sent {
  login: number;
  challenge: string;
  expiresAt: string;
  /** True when it replaces an earlier one. */
  again: boolean;
}

const aboutCode = { code_wrong: "code", code_expired: "code" } as const;

interface Typed {
  code: string;
  password: string;
}

export function ForgotCode({
  sent,
  onResent,
  onDone,
}: {
  sent: Sent;
  onResent: (sent: Sent) => void;
  /** The password is chosen, and the login is still to be made. */
  onDone: () => void;
}) {
  const signIn = useSignInAfterReset();
  const choose = useAction(
    async (typed: Typed) => {
      await call(api.identity.forgotReset, { challenge: sent.challenge, ...typed });
      return await signIn(sent.login, typed.password);
    },
    {
      onDone: (isIn) => !isIn && onDone(),
      onRefused: ({ code }) => {
        if (code in aboutCode) set({ code: "" });
      },
    },
  );
  const { set, field, problem, form } = useForm<Typed>(
    { code: "", password: "" },
    ({ code, password }) => ({
      code: code.length !== codes.digits && `Saisissez les ${codes.digits} chiffres du code.`,
      password: wrongChoice(password),
    }),
    choose,
    { problemFields: { ...choiceProblems, ...aboutCode }, isLeftFreely: true },
  );
  const resend = useAction(() => call(api.identity.forgot, { login: sent.login }), {
    onDone: (next) => {
      set({ code: "" });
      choose.reset();
      onResent({ ...next, login: sent.login, again: true });
    },
  });
  return (
    <form {...form}>
      <Banner tone="info" title={sent.again ? "Nouveau code demandé" : "Code demandé"}>
        <p>
          Si la carte {formatCardnumber(sent.login)} a une adresse e-mail ou un téléphone
          enregistrés depuis 72&nbsp;heures, un code vient d’y être envoyé. Il est valable jusqu’à{" "}
          {formatTime(sent.expiresAt)}.
        </p>
        <DemoNote />
      </Banner>
      <input type="text" autoComplete="username" value={sent.login} readOnly hidden />
      <OtpInput
        label="Code reçu"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the code is the first thing asked there
        autoFocus
        {...field("code")}
      />
      <NewPasswordInput {...field("password")} />
      <ProblemBanner problem={problem} title="Le mot de passe n’a pas été changé." />
      <FormActions
        submit="Changer le mot de passe"
        wide
        isSending={choose.isPending || choose.isSuccess}
      />
      {resend.problem && <CodeRefusal problem={resend.problem} />}
      <div className={styles.identityAgain}>
        <p>Rien reçu&#8239;? Regardez dans les indésirables et vérifiez le numéro de carte.</p>
        <StillNothing />
        <Button kind="ghost" loading={resend.isPending} onClick={() => resend.send()}>
          Renvoyer un code
        </Button>
        <output>{sent.again && !resend.isPending && "Un nouveau code est demandé."}</output>
      </div>
    </form>
  );
}

/** The same for every card: nothing here says whether it exists, or where it may be written to. */
function StillNothing() {
  const settings = useAnswer(api.portal.settings, {});
  if (!settings.data) return null;
  const phone = settings.data.supportPhone;
  return (
    <p>
      Toujours rien&#8239;?{" "}
      {phone ? (
        <>
          Appelez le <a href={`tel:${phone.replaceAll(/[^\d+]/g, "")}`}>{phone}</a>, votre carte
          sous les yeux.
        </>
      ) : (
        "Revenez à l’étape précédente pour utiliser un code de secours, ou adressez-vous à l’organisme qui vous a remis la carte."
      )}
    </p>
  );
}
