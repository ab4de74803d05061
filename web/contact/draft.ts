// The draft of a message, kept on the server as it is typed (spec.md 7): a lost session, a reload or another
// device find it again.
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import type { ContactDraft } from "#contract/contact/rows.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";

const pauseMs = 700;
export const emptyDraft: ContactDraft = { topic: null, subject: "", text: "", documents: [] };

const placeOf = (thread: string | null) => (thread === null ? {} : { thread });

/** The draft as the server has it, for a form to begin with. */
export const useSavedDraft = (thread: string | null) =>
  useAnswer(api.contact.draft, placeOf(thread));

/**
 * Keeps the draft of a form a moment after each change. `still` waits for what is under way; `settle`
 * forgets the draft: the message is sent.
 */
export function useDraft(thread: string | null) {
  const waiting = useRef<ContactDraft | null>(null);
  const underway = useRef<Promise<unknown>>(Promise.resolve());
  const send = useRef(() => {});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    send.current = () => {
      const now = waiting.current;
      if (!now) return;
      waiting.current = null;
      const { documents, ...words } = now;
      const input = { ...words, thread, documents: documents.map(({ id }) => id) };
      // What could not be kept is still on the screen: the next change tries again.
      underway.current = underway.current
        .then(() => call(api.contact.keepDraft, input, { quiet: true }))
        .catch(() => undefined);
    };
  }, [thread]);
  useEffect(() => () => send.current(), []);
  const remember = (now: ContactDraft) =>
    queryClient.setQueryData(keyOf(api.contact.draft, placeOf(thread)), now);
  const keep = (now: ContactDraft) => {
    waiting.current = now;
    remember(now);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send.current(), pauseMs);
  };
  const still = async () => {
    waiting.current = null;
    await underway.current;
  };
  const settle = () => {
    waiting.current = null;
    remember(emptyDraft);
  };
  return { keep, still, settle };
}
