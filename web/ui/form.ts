// The state of a form: what is typed, what is wrong with it, the way to the server and back. Rules are
// checked when it is sent; from then on a field in error is checked at each change.
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { dropDraft, keepDraft, readDraft } from "./draft.ts";
import { useFirstError } from "./first-error.ts";
import { useUnsaved } from "./unsaved.tsx";
import "./form.css";

/** The fault of each field, in French; false or nothing for a right one. */
export type Faults<Values> = { [Name in keyof Values]?: ReactNode };

/** The call that sends the form: what `useAction` answers. */
export interface Sending<Values> {
  isPending: boolean;
  error: unknown;
  mutateAsync: (values: Values) => Promise<unknown>;
  reset: () => void;
}

interface Options<Values> {
  /** Problems of the server that are about one field, by their code. */
  problemFields?: Readonly<Record<string, keyof Values>>;
  /** Keeps these fields for this tab until the form is sent: a reload or a closed dialog finds them. */
  draft?: { name: string; fields: readonly (keyof Values & string)[] };
  /** Leaving asks nothing: a sign-in, or a choice that is made again in one press. */
  isLeftFreely?: boolean;
  /** Told at each change, where the page keeps the values too: the next step, the address, the server. */
  onValues?: (values: Values) => void;
}

interface ServerProblem {
  code: string;
  message: string;
}

const isProblem = (error: unknown): error is Error & ServerProblem =>
  error instanceof Error && "code" in error;

/** Values are plain data and files; a file is only the same as itself. */
const isSame = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) ||
  (!(one instanceof Blob) && JSON.stringify(one) === JSON.stringify(other));

/**
 * A form that begins with `first`. `rules` says what is wrong with its values; `sending` is called with
 * them once nothing is, and never twice at once. The focus goes to the first field in error, also when
 * the server finds it. `problem` is the refusal that belongs to no field, for a banner.
 */
export function useForm<Values extends object>(
  first: Values,
  rules: (values: Values) => Faults<Values>,
  sending: Sending<Values>,
  { problemFields = {}, draft, isLeftFreely = false, onValues }: Options<Values> = {},
) {
  const [values, setValues] = useState<Values>(() => (draft ? readDraft(draft, first) : first));
  const [checked, setChecked] = useState<ReadonlySet<keyof Values>>(new Set());
  const [refusals, setRefusals] = useState(0);
  const [sent, setSent] = useState<Values | null>(null);
  const latest = useRef(values);
  const [saved, setSaved] = useState(values);
  const isSending = useRef(false);
  const isChanged = (Object.keys(values) as (keyof Values & string)[]).some(
    (name) => !isSame(values[name], saved[name]) && !draft?.fields.includes(name),
  );
  useUnsaved(!isLeftFreely && isChanged, () => !isSending.current);

  const refused = isProblem(sending.error) ? sending.error : null;
  const refusedField = refused ? problemFields[refused.code] : undefined;
  const faults = rules(values);
  const errorOf = (name: keyof Values): ReactNode => {
    if (checked.has(name) && faults[name]) return faults[name];
    // The server's word is about the value that it was sent, also once that was taken away: the digits
    // of a wrong code.
    const isOfSent = values[name] === "" || sent?.[name] === values[name];
    return refused && refusedField === name && isOfSent && refused.message;
  };
  const ref = useFirstError<HTMLFormElement>(refusedField ? refused : refusals);

  /** A function is given the values of this moment: what ends later, as an upload does, may set too. */
  const set = (part: Partial<Values> | ((now: Values) => Partial<Values>)) => {
    // Two changes of one event add up.
    const now = latest.current;
    latest.current = { ...now, ...(typeof part === "function" ? part(now) : part) };
    setValues(latest.current);
    if (draft) keepDraft(draft, latest.current);
    onValues?.(latest.current);
  };
  const send = async () => {
    isSending.current = true;
    setSent(values);
    try {
      await sending.mutateAsync(values);
      setSaved(latest.current);
      // What was typed meanwhile was not sent.
      const isSent = isSame(latest.current, values) || isSame(latest.current, first);
      if (draft && isSent) dropDraft(draft.name);
    } catch {
      // `sending.error` has it.
    } finally {
      isSending.current = false;
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isSending.current || sending.isPending) return;
    const wrong = (Object.keys(faults) as (keyof Values)[]).filter((name) => Boolean(faults[name]));
    setChecked(new Set(wrong));
    if (wrong.length === 0) return void send();
    sending.reset();
    setRefusals(refusals + 1);
  };
  return {
    values,
    set,
    errorOf,
    problem: refusedField ? null : refused,
    /** Forgets the draft: the person gives the form up. */
    discard: () => draft && dropDraft(draft.name),
    /** For the form element. */
    form: { ref, className: "form", noValidate: true, onSubmit },
    /** For a field whose value is of the type that it shows: text, choice, date. */
    field: <Name extends keyof Values>(name: Name) => ({
      value: values[name],
      onValue: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
      error: errorOf(name),
    }),
  };
}
