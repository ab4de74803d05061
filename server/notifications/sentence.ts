// Words that somebody wrote, such as the reason of a refusal, inside a message of ours.

/** The words as a sentence that another may follow: closed by one stop, or by the mark that they end with. */
export function asSentence(words: string): string {
  const trimmed = words.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
