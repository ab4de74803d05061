// Names that a feed writes in capitals, in French capitalisation: « GARE DU NORD » is « Gare du Nord ». A
// name with a small letter in it was written with care and stays as it is.
import { capital } from "#contract/french.ts";

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const bare = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** Lower case unless they begin a name or a part of it. */
const small = setOf("à au aux chez de des du en et la le les lès ou par près sous sur vers");
/** Lower case before an apostrophe. */
const elided = setOf("d l qu");
/** The letters after their apostrophe are no word of their own: « presqu'île ». */
const joined = setOf("aujourd presqu prud");
/** Acronyms that could be read as words. One without a vowel needs no list. */
const acronyms = setOf(
  "afpa apf caf cat cea ceg ces cfa chi chru chu cio cnam cpam creps edf ehpad ens ensam esat esc fjt " +
    "iae ies ifsi ime inra inrae insa iut iufm mjc pmi ratp rer ter ufr urssaf za zac zad zae zi zup",
);
/** Abbreviations without a vowel that are no acronyms. */
const shortened = setOf("bd bld ch cdt dr fg gd gds lt mc mgr mr pl pt pts rd rpt st sts");
/** After these a single A is a letter: « Quai A Nord ». */
const lettered = setOf("batiment entree hall lot porte quai terminal zone");

/** Common words of stops that are no French words without their accent. */
const accents = new Map(
  (
    "abbé académie bâtiment château châteaux chênes cimetière cinéma cité collège côteaux crèche dépôt " +
    "écluse école écoles église égalité entrée étang étoile évêché faculté forêt général hôpital hôtel île " +
    "îles libération liberté lycée maréchal médiathèque mémorial métro musée pépinière pôle préfecture " +
    "république résidence résistance rivière sécurité séminaire théâtre université vélo vélodrome verrière " +
    "édouard émile étienne frédéric hélène molière bibliothèque"
  )
    .split(" ")
    .map((word) => [bare(word), word]),
);

const roman = /^(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})$/;
const ordinal = /^\d+(?:er|re|ere|ère|nd|nde|e|eme|ème|bis|ter)$/i;
/** Where a part of a name begins; a hyphen between two letters joins them. */
const partBegins = /(?:^|[/([:;,«"+&|<>→–—]\s*|\s-\s*|-\s+)$/u;

/** A name in French capitalisation, if it is in capitals; else the name itself. */
export function inFrenchCase(name: string): string {
  if (/\p{Ll}/u.test(name) || !/\p{Lu}/u.test(name)) return name;
  return name.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (word, at: number) =>
    writtenWord(word, name.slice(0, at), name.slice(at + word.length)),
  );
}

function writtenWord(word: string, before: string, after: string): string {
  const lower = word.toLowerCase();
  const previous = /([\p{L}\p{N}]+)(['’]|\P{L}*)$/u.exec(before);
  const [, last = "", between = ""] = previous ?? [];
  const isElided = /['’]/.test(between);
  if (/\d/.test(word)) return ordinal.test(word) ? shortOrdinal(lower) : word;
  if (isElided && (joined.has(last.toLowerCase()) || lower === "s")) return lower;
  if (!partBegins.test(before)) {
    if (elided.has(lower) && /^['’]/.test(after)) return lower;
    if (word === "A" && /^(?:\s+|-)\p{L}/u.test(after) && !lettered.has(bare(last).toLowerCase())) {
      return "à";
    }
    if (small.has(lower)) return lower;
  }
  if (isAcronym(lower, word)) return word;
  const full = accents.get(lower) ?? lower;
  return capital(full);
}

const shortOrdinal = (lower: string): string =>
  lower.replace(/[eè]([mr])e$/, (_, letter) => (letter === "m" ? "e" : "re"));

const isAcronym = (lower: string, word: string): boolean =>
  acronyms.has(lower) ||
  roman.test(word) ||
  (word.length <= 5 && !/[aeiouyœæ]/.test(bare(lower)) && !shortened.has(lower));
