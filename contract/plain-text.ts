// What a text is without the marks that nobody sees: they come along with a paste, turn the reading direction
// of what follows, or make two texts of what reads as one.

/** Controls that lay text out, tab and ends of line; and NUL, which no person writes: a text with it is refused. */
const kept = String.raw`[\t\n\r\0]`;
/** What joins emoji into one, and says that a sign is one. */
const ofEmoji = String.raw`(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]`;
/** Controls, and what Unicode says to draw as nothing: zero-width and direction marks, soft hyphens, fillers. */
const unseen = new RegExp(
  String.raw`(?=[\p{Cc}\p{Default_Ignorable_Code_Point}])(?!${kept}|${ofEmoji})[^]`,
  "gu",
);

/** `text` without control characters, direction marks and other marks that are not seen. */
export const plainText = (text: string): string => text.replaceAll(unseen, "");
