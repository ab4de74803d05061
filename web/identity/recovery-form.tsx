// Another way through a forgotten password: a recovery code in place of the one that would be sent.
import { api } from "#contract/api.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { CardNumberInput, TextInput } from "#web/ui/input.tsx";
import { choiceProblems, NewPasswordInput, wrongChoice } from "./new-password.tsx";
import { useSignInAfterReset } from "./sign-in-after-reset.ts";

interface Typed {
  number: string;
  code: string;
  password: string;
}

export const faultOfNumber = ({ number }: { number: string }) => ({
  number: number.length !== 10 && "Indiquez les 10 chiffres de votre numéro de carte.",
});

/** `first`: the number typed before. `onDone`: the password is chosen, and the login is still to be made. */
export function RecoveryForm({ first, onDone }: { first: string; onDone: () => void }) {
  const signIn = useSignInAfterReset();
  const recover = useAction(
    async ({ number, ...chosen }: Typed) => {
      await call(api.identity.recover, { login: Number(number), ...chosen });
      return await signIn(Number(number), chosen.password);
    },
    { onDone: (isIn) => !isIn && onDone() },
  );
  const { field, problem, form } = useForm<Typed>(
    { number: first, code: "", password: "" },
    ({ number, code, password }) => ({
      ...faultOfNumber({ number }),
      code:
        code.replaceAll(/[^0-9a-z]/gi, "").length !== 10 &&
        "Un code de secours a 10 lettres et chiffres.",
      password: wrongChoice(password),
    }),
    recover,
    { problemFields: { ...choiceProblems, recovery_refused: "code" }, isLeftFreely: true },
  );
  return (
    <form {...form}>
      <CardNumberInput label="Numéro de carte" autoComplete="username" {...field("number")} />
      <TextInput
        label="Code de secours"
        hint="Un des dix codes que vous avez notés, par exemple 7K2QF-9XHMA."
        className="input-number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        {...field("code")}
      />
      <NewPasswordInput {...field("password")} />
      <ProblemBanner problem={problem} title="Le mot de passe n’a pas été changé." />
      <FormActions
        submit="Changer le mot de passe"
        wide
        isSending={recover.isPending || recover.isSuccess}
      />
    </form>
  );
}
