// Links in an answer of the help: `[Suivi des repas](/commande/cantine/suivi)`, to a screen of the portal
// alone.

const link = /\[([^\][]+)\]\((\/(?!\/)[^\s()]*)\)/g;

export interface AnswerLink {
  label: string;
  path: string;
}

/** A text and its links, in their order. */
export function partsOf(text: string): (string | AnswerLink)[] {
  const parts: (string | AnswerLink)[] = [];
  let from = 0;
  for (const found of text.matchAll(link)) {
    const [whole, label = "", path = ""] = found;
    parts.push(text.slice(from, found.index), { label, path });
    from = found.index + whole.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** The text as it is read where nothing can be followed: links are their labels. */
export const withoutLinks = (text: string): string => text.replaceAll(link, "$1");
