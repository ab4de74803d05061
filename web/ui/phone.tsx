// A phone number, written the French way while it is typed and given back in E.164 once it is valid.
import { type InputHTMLAttributes, useEffect, useRef, useState } from "react";
import { parseFrenchPhone } from "#contract/phones.ts";
import { Field, type FieldText } from "./field.tsx";

interface Phones {
  AsYouType: typeof import("libphonenumber-js/core").AsYouType;
  parse: typeof import("libphonenumber-js/core").default;
  metadata: import("libphonenumber-js/core").MetadataJson;
}

// Loaded when a phone field is shown: 14 KB that no other screen pays.
async function loadPhones(): Promise<Phones> {
  const [core, countries] = await Promise.all([
    import("libphonenumber-js/core"),
    import("./phone-countries.json"),
  ]);
  return {
    AsYouType: core.AsYouType,
    parse: core.default,
    metadata: countries.default as unknown as Phones["metadata"],
  };
}

const e164Of = ({ parse, metadata }: Phones, typed: string): string | null => {
  const parsed = parseFrenchPhone(typed, (text, region) => parse(text, region, metadata));
  return parsed?.isValid() ? parsed.number : null;
};
const grouped = ({ AsYouType, metadata }: Phones, typed: string): string =>
  new AsYouType("FR", metadata).input(typed);

/** `onValue` gives what is typed and its E.164 form, null while the number is not valid. */
export function PhoneInput({
  label,
  hint,
  error,
  optional,
  value,
  onValue,
  ...native
}: FieldText & {
  value: string;
  onValue: (typed: string, e164: string | null) => void;
} & Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange">) {
  const [phones, setPhones] = useState<Phones | null>(null);
  // What is typed before the numbers' rules have come is read when they have.
  const early = useRef<string | null>(null);
  const tell = useRef(onValue);
  useEffect(() => {
    tell.current = onValue;
  });
  useEffect(() => {
    let isMounted = true;
    loadPhones().then(
      (loaded) => isMounted && setPhones(loaded),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, []);
  useEffect(() => {
    if (!phones || early.current === null) return;
    tell.current(grouped(phones, early.current), e164Of(phones, early.current));
  }, [phones]);
  const type = (typed: string) => {
    const cleaned = typed.replaceAll(/[^\d+\s().-]/g, "").slice(0, 24);
    if (!phones) {
      early.current = cleaned;
      return onValue(cleaned, null);
    }
    // Grouping while erasing would put back the space that was just erased.
    const formatted = cleaned.length > value.length ? grouped(phones, cleaned) : cleaned;
    onValue(formatted, e164Of(phones, cleaned));
  };
  return (
    <Field {...{ label, hint, error }} optional={optional ?? false}>
      {(wiring) => (
        <input
          required={!optional}
          autoComplete="tel"
          placeholder="06 12 34 56 78"
          {...native}
          {...wiring}
          className="input"
          type="tel"
          value={value}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </Field>
  );
}
