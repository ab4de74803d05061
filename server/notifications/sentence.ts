// Words that somebody wrote, such as the reason of a refusal, inside a message of the portal.

/**
 * The words as a sentence that another may follow: they end with one full stop, or keep their own punctuation
 * mark.
 */
export function asSentence(words: string): string {
  const trimmed = words.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
