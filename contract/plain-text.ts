// Removes invisible characters from a text: they come with a paste, change the reading direction of what
// follows, or make two different texts look the same.

// Controls, and what Unicode says to draw as nothing: zero-width and direction marks, soft hyphens, fillers.
// Not tab and ends of line, which lay text out; nor NUL, which no person writes: a text with it is refused;
// nor what joins emoji into one, and says that a sign is one.
const invisibleCharacters =
  /(?=[\p{Cc}\p{Default_Ignorable_Code_Point}])(?![\t\n\r\0]|(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f])[^]/gu;

/** `text` without control characters, direction marks and other marks that are not seen. */
export const plainText = (text: string): string => text.replaceAll(invisibleCharacters, "");
