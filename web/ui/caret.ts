// Where the caret goes after a typed number has been regrouped.

/** Position in `grouped` after as many digits as stood before the caret in what was typed. */
export function caretAfterDigits(grouped: string, typedBeforeCaret: string): number {
  let left = typedBeforeCaret.replaceAll(/\D/g, "").length;
  let place = 0;
  while (left > 0 && place < grouped.length) {
    if (/\d/.test(grouped[place] as string)) left--;
    place++;
  }
  return place;
}
