// Search text of names: without accents, capitals or punctuation, usual abbreviations written out.

const whole: Readonly<Record<string, string>> = {
  st: "saint",
  ste: "sainte",
  av: "avenue",
  ave: "avenue",
  bd: "boulevard",
  bld: "boulevard",
  pl: "place",
  rte: "route",
  ch: "chemin",
  hop: "hopital",
};

/** « Pl. de l'Église-St-Jean » → « place de l eglise saint jean ». */
export const searchText = (text: string): string => searchWords(text).join(" ");

/** The words of `searchText`. */
export function searchWords(text: string): string[] {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => whole[word] ?? word);
}
