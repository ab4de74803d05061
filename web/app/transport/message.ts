// The shared error/message value of the specification: cleared before each navigation (spec §2). A
// message for the next screen is set after arrival (spec.md 5).
import { observed } from "./observed.ts";

export interface SharedMessage {
  kind: "error" | "success" | "info";
  text: string;
}

export const sharedMessage = observed<SharedMessage | null>(null);

const waiting: SharedMessage[] = [];

/** Keeps a message for the screen that the next navigation arrives at. */
export const tellOnArrival = (message: SharedMessage): void => void waiting.push(message);

/** A navigation begins: what was said belongs to the screen one leaves. */
export const clearMessage = (): void => sharedMessage.set(null);

/** A navigation arrived: what waited for it is said now. */
export function deliverMessage(): void {
  const latest = waiting.pop();
  waiting.length = 0;
  if (latest) sharedMessage.set(latest);
}
