// A text that may be anything, with suggestions of what was written before. Arrows move a mark through them, Enter
// takes what is marked, Escape closes; nothing is marked until an arrow is pressed, so that Enter keeps what is typed.
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import "./popup.css";
import { ListOption, useOptionList } from "./combobox.tsx";
import { Field, type FieldText } from "./field.tsx";
import { Text } from "./text.tsx";

export interface Suggestion<T> {
  key: string;
  label: string;
  hint?: ReactNode;
  value: T;
}

interface Suggesting<T> {
  value: string;
  onValue: (value: string) => void;
  suggestions: readonly Suggestion<T>[];
  onTake: (value: T) => void;
  /** Keys that the list has no use for: all of them while it is closed. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** Whether the list of an empty field opens as the field is entered. */
  opensOnFocus?: () => boolean;
  /** Another thing has the keyboard. */
  onLeave?: () => void;
  maxLength?: number;
  placeholder?: string;
}

export function SuggestInput<T>({
  label,
  hint,
  error,
  optional,
  isLabelUnseen,
  value,
  onValue,
  suggestions,
  onTake,
  onKey,
  opensOnFocus,
  onLeave,
  ...native
}: FieldText & Suggesting<T>) {
  const id = useId();
  const [wantsList, setWantsList] = useState(false);
  /** The key of the suggestion that is marked: the list may change under the mark. */
  const [marked, setMarked] = useState<string | null>(null);
  const active = suggestions.findIndex(({ key }) => key === marked);
  const open = wantsList && suggestions.length > 0;
  const { field, list } = useOptionList(open, active, suggestions.length);
  const show = (isShown: boolean) => {
    setWantsList(isShown);
    setMarked(null);
  };
  const take = (suggestion: Suggestion<T>) => {
    show(false);
    onTake(suggestion.value);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const taken = open ? suggestions[active] : undefined;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
    if (open && step !== 0 && isPlain) {
      event.preventDefault();
      // One place more than there are suggestions: none of them, what is typed.
      const places = suggestions.length + 1;
      setMarked(suggestions[((active + 1 + step + places) % places) - 1]?.key ?? null);
    } else if (taken && event.key === "Enter" && isPlain) {
      event.preventDefault();
      take(taken);
    } else if (open && event.key === "Escape") {
      event.preventDefault();
      show(false);
    } else {
      onKey?.(event);
    }
  };
  return (
    <Field {...{ label, hint, error, isLabelUnseen }} optional={optional ?? false}>
      {(wiring) => (
        <div ref={field}>
          <input
            {...native}
            {...wiring}
            className="input"
            type="text"
            role="combobox"
            autoComplete="off"
            required={!optional}
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={id}
            aria-activedescendant={open && active >= 0 ? `${id}-${active}` : undefined}
            value={value}
            onChange={(event) => {
              onValue(event.target.value);
              show(true);
            }}
            onFocus={() => value === "" && opensOnFocus?.() && show(true)}
            onClick={() => value === "" && show(true)}
            onKeyDown={press}
            onBlur={() => {
              show(false);
              onLeave?.();
            }}
          />
          <div
            ref={list}
            id={id}
            popover="manual"
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the focus stays in the field, as the combobox pattern asks
            role="listbox"
            aria-label={`${label}\u202f: propositions`}
            className="popup popup-fit"
          >
            {suggestions.map((suggestion, index) => (
              <ListOption
                key={suggestion.key}
                id={`${id}-${index}`}
                active={index === active}
                selected={false}
                onTake={() => take(suggestion)}
              >
                {suggestion.label}
                {suggestion.hint && (
                  <>
                    {" "}
                    <Text as="span" tone="soft" size="small">
                      {suggestion.hint}
                    </Text>
                  </>
                )}
              </ListOption>
            ))}
          </div>
        </div>
      )}
    </Field>
  );
}
