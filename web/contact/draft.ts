// What is being written, kept on the server as it is typed (spec.md 7): a lost session, a reload or
// another device find it again.
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { ContactDraft } from "#contract/contact/rows.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";

const pauseMs = 700;
export const emptyDraft: ContactDraft = { topic: null, subject: "", text: "", documents: [] };

const placeOf = (thread: string | null) => (thread === null ? {} : { thread });

/** The draft as the server has it, for a form to begin with. */
export const useKeptDraft = (thread: string | null) =>
  useAnswer(api.contact.draft, placeOf(thread));

/**
 * The draft of a form that began with `first`, kept a moment after each change. `settle` waits for what
 * is under way and forgets the draft: the message is sent.
 */
export function useDraft(thread: string | null, first: ContactDraft) {
  const [draft, setDraft] = useState(first);
  // Files arrive one after the other, whatever was typed meanwhile.
  const current = useRef(first);
  const waiting = useRef<ContactDraft | null>(null);
  const underway = useRef<Promise<unknown>>(Promise.resolve());
  const keep = useRef(() => {});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    keep.current = () => {
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
  useEffect(() => () => keep.current(), []);
  const remember = (now: ContactDraft) =>
    queryClient.setQueryData(keyOf(api.contact.draft, placeOf(thread)), now);
  const change = (changes: (now: ContactDraft) => Partial<ContactDraft>) => {
    const now = { ...current.current, ...changes(current.current) };
    current.current = now;
    waiting.current = now;
    remember(now);
    setDraft(now);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => keep.current(), pauseMs);
  };
  const still = async () => {
    waiting.current = null;
    await underway.current;
  };
  const settle = () => {
    waiting.current = null;
    current.current = emptyDraft;
    remember(emptyDraft);
    setDraft(emptyDraft);
  };
  return { draft, change, still, settle };
}
