// The field where a password is chosen. Typed once and shown at will: a second field only makes
// people type the same mistake twice.
import type { ReactNode } from "react";
import { password as limits } from "#contract/limits.ts";
import { plural } from "#contract/french.ts";
import { Icon } from "#web/ui/icon.tsx";
import { PasswordInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import styles from "./new-password.module.css";

export function NewPasswordInput({
  label = "Nouveau mot de passe",
  value,
  onValue,
  error,
}: {
  label?: string;
  value: string;
  onValue: (value: string) => void;
  error?: ReactNode;
}) {
  const typed = lengthOf(value);
  const enough = typed >= limits.shortest;
  return (
    <Stack gap={8}>
      <PasswordInput
        label={label}
        hint={`${limits.shortest} caractères au moins. Une phrase à vous se retient mieux qu’un mot compliqué.`}
        value={value}
        onValue={onValue}
        error={error}
        autoComplete="new-password"
        maxLength={limits.longest}
      />
      <div className={styles.newPasswordTally} data-enough={enough || undefined}>
        <progress
          aria-label="Longueur du mot de passe"
          max={limits.shortest}
          value={Math.min(typed, limits.shortest)}
        />
        <span>
          {enough ? (
            <>
              <Icon name="check" size={16} /> Longueur suffisante
            </>
          ) : (
            `Encore ${plural(limits.shortest - typed, "caractère")}`
          )}
        </span>
      </div>
    </Stack>
  );
}

// As the server counts them: characters as people see them, composed.
const lengthOf = (password: string): number => Array.from(password.normalize("NFC")).length;

/** The fault of a choice before it is sent, or nothing. */
export function wrongChoice(password: string): string | undefined {
  if (password === "") return "Choisissez un mot de passe.";
  if (lengthOf(password) < limits.shortest) {
    return `Ce mot de passe est trop court : il faut au moins ${limits.shortest} caractères.`;
  }
  return undefined;
}

/** The refusals that are about the chosen password, for a form whose field is `password`. */
export const choiceProblems = {
  password_too_short: "password",
  password_too_common: "password",
  password_unchanged: "password",
} as const;
