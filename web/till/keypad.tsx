// The keys of the till: figures, two zeros, and one back. They leave the keyboard where it is, at the amount.
import { Icon } from "#web/ui/icon.tsx";
import { keypadKeys } from "./amount-entry.ts";
import styles from "./sale.module.css";

export const Keypad = ({ onKey }: { onKey: (key: string) => void }) => (
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for fields
  <div className={styles.keypad} role="group" aria-label="Clavier">
    {keypadKeys.map((key) => (
      <button
        key={key}
        type="button"
        className={styles.key}
        // A press by hand takes the keyboard off the amount otherwise, and Enter would press the key again.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onKey(key)}
      >
        {key === "Backspace" ? (
          <>
            <Icon name="back" />
            <span className="unseen">Effacer le dernier chiffre</span>
          </>
        ) : (
          key
        )}
      </button>
    ))}
  </div>
);
