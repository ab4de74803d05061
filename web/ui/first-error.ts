// After a refusal the keyboard stands where something must be mended.
import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the first invalid control inside, each time `errors` changes to something. */
export function useFirstError<Place extends HTMLElement>(errors: unknown): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (errors) place.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);
  return place;
}
