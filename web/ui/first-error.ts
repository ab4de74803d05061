// After a refusal the keyboard stands where something must be mended.
import { type RefObject, useEffect, useRef } from "react";

// A group of radios has no invalid control of its own: its first one stands for it.
const invalid = "[aria-invalid=true], [data-invalid] input";

/** Moves the focus to the first invalid control inside, each time `errors` changes to something. */
export function useFirstError<Place extends HTMLElement>(errors: unknown): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (errors) place.current?.querySelector<HTMLElement>(invalid)?.focus();
  }, [errors]);
  return place;
}
