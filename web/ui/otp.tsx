// The field for a code received by e-mail or SMS: six boxes, filled by typing, pasting or the phone.
import { OTPField } from "@base-ui/react/otp-field";
import { type ClipboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import "./field.css";
import "./otp.css";
import { FieldError, FieldLabel } from "./field.tsx";

/**
 * `onComplete` fires when the last digit is in: send then, without a button press. After a refused code
 * the caller empties `value`; the focus goes back to the first box.
 */
export function OtpInput({
  label,
  hint,
  error,
  value,
  onValue,
  onComplete,
  length = 6,
  disabled = false,
  autoFocus = false,
}: {
  label: string;
  hint?: ReactNode;
  error?: ReactNode;
  value: string;
  onValue: (value: string) => void;
  onComplete?: (value: string) => void;
  length?: number;
  disabled?: boolean;
  autoFocus?: boolean;
}) {
  // The library gives the first box no name of its own: the label points at the root's id, which
  // the library puts on that box.
  const id = useId();
  const boxes = useRef<HTMLDivElement>(null);
  const isRefused = Boolean(error) && value === "";
  useEffect(() => {
    if (isRefused) boxes.current?.querySelector("input")?.focus();
  }, [isRefused]);
  // The library puts what is pasted behind the box that has the focus: a whole code replaces them all.
  const paste = (event: ClipboardEvent) => {
    const digits = event.clipboardData.getData("text/plain").replaceAll(/\D/g, "");
    if (digits.length !== length || disabled) return;
    event.preventDefault();
    onValue(digits);
    onComplete?.(digits);
  };
  return (
    <div className="field" data-invalid={error ? true : undefined}>
      <FieldLabel id={id} label={label} hint={hint} />
      <OTPField.Root
        ref={boxes}
        id={id}
        onPasteCapture={paste}
        className="otp"
        length={length}
        value={value}
        disabled={disabled}
        aria-describedby={`${hint ? `${id}-hint ` : ""}${id}-error`}
        onValueChange={(next) => onValue(next)}
        onValueComplete={(next) => onComplete?.(next)}
      >
        {Array.from({ length }, (_, index) => (
          <OTPField.Input
            // oxlint-disable-next-line react/no-array-index-key -- the boxes are their positions
            key={index}
            className="input otp-box"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a code is the only thing asked there
            autoFocus={autoFocus && index === 0}
            data-focus-first={(autoFocus && index === 0) || undefined}
            aria-invalid={error ? true : undefined}
            aria-label={index === 0 ? undefined : `Chiffre ${index + 1} sur ${length}`}
          />
        ))}
      </OTPField.Root>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
