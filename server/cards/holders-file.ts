// The CSV file of holders to import: its columns, and the faults of a line, in French. It does not look at
// existing holders (holders-import.ts).
import * as z from "zod/mini";
import { addMonths, parisDay } from "#contract/days.ts";
import * as c from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { unprintedIn } from "#server/http/printed-letters.ts";
import { readRecords, type RecordRules } from "#server/http/record-file.ts";
import { dayIn } from "#server/http/typed-day.ts";
import { plainEmail, plainPunctuation } from "#server/http/typed-text.ts";
import { phoneOf } from "#server/identity/identity.ts";
import { FileRefused } from "#server/process/operator-file.ts";
import { cleanName, tidyName } from "./holders.ts";

/** One holder as the file describes them. */
export interface HolderLine {
  /** Its line in the file, the header being 1. */
  line: number;
  /** The operator's own number for this person, by which a second import changes nothing. */
  reference: string;
  name: string;
  /** ISO day. */
  bornOn: string;
  email: string | null;
  /** E.164. */
  phonenumber: string | null;
  /** Reference or card number of the person in charge of a child. */
  guardian: string | null;
  isChild: boolean;
}

/** The holders of a file, and a French sentence for each fault, with its line. */
export interface HoldersFile {
  holders: HolderLine[];
  faults: string[];
}

type Column = "reference" | "nom" | "prenom" | "naissance" | "email" | "telephone" | "responsable";
const columnWords =
  "reference, nom, prenom, naissance ; facultatives : email, telephone, responsable";

/** Column titles that files of people use for names and addresses. */
export const contactTitles = {
  prenom: "prenom",
  nom: "nom",
  nomdefamille: "nom",
  email: "email",
  courriel: "email",
  mail: "email",
  adresseemail: "email",
  adressemail: "email",
  telephone: "telephone",
  tel: "telephone",
  mobile: "telephone",
  portable: "telephone",
  ndetelephone: "telephone",
  numerodetelephone: "telephone",
} as const;

const rules: RecordRules<Column> = {
  maxBytes: 10_000_000,
  maxLines: 20_000,
  needed: ["reference", "nom", "prenom", "naissance"],
  byTitle: {
    ...contactTitles,
    reference: "reference",
    naissance: "naissance",
    datedenaissance: "naissance",
    responsable: "responsable",
  },
  refuse: {
    tooLarge: () => new FileRefused(["Le fichier dépasse 10 Mo : partagez-le."]),
    type: (kind) =>
      new FileRefused([
        kind
          ? `Le fichier est ${kind}, pas un CSV : enregistrez-le en «\u00a0CSV UTF-8\u00a0».`
          : "Le fichier n'est pas un CSV : enregistrez-le en «\u00a0CSV UTF-8\u00a0».",
      ]),
    unreadable: (why) => new FileRefused([why]),
    columns: (wrong, line) =>
      new FileRefused([`ligne ${line} : ${wrong}. Colonnes : ${columnWords}.`]),
  },
  words: { none: "aucun porteur", many: "porteurs : partagez le fichier" },
  maxFaults: Infinity,
};

/** Reads a file of holders; `now` decides who is a child. */
export async function readHolders(bytes: Buffer, now: Date): Promise<HoldersFile> {
  const seen = new Map<string, number>();
  try {
    const { items, faults } = await readRecords(bytes, rules, ({ line, cell, wrong }) => {
      const one = holderIn(cell, { line, now, wrong });
      const first = seen.get(one.reference);
      if (first !== undefined) wrong.push(`référence déjà donnée à la ligne ${first}`);
      else seen.set(one.reference, line);
      return one;
    });
    return { holders: items, faults: faults.map(({ line, what }) => `ligne ${line} : ${what}.`) };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return { holders: [], faults: [...error.lines] };
  }
}

function holderIn(
  cell: (name: Column) => string,
  { line, now, wrong }: { line: number; now: Date; wrong: string[] },
): HolderLine {
  const reference = plainPunctuation(cell("reference"));
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$/.test(reference)) {
    wrong.push("référence : 1 à 40 lettres, chiffres, points ou tirets");
  }
  const name = holderName(cell("prenom"), cell("nom"), wrong);
  const bornOn = birthDay(cell("naissance"), now, wrong);
  const guardian = plainPunctuation(cell("responsable")) || null;
  const isChild = isChildOn(bornOn, now);
  if (bornOn !== "" && isChild && guardian === null) {
    wrong.push("responsable : un mineur a besoin de la référence ou de la carte d'un adulte");
  }
  if (bornOn !== "" && !isChild && guardian !== null) {
    wrong.push("responsable : cette personne est majeure");
  }
  return {
    line,
    reference,
    name,
    bornOn,
    email: emailIn(cell("email"), wrong),
    phonenumber: phoneIn(cell("telephone"), wrong),
    guardian,
    isChild,
  };
}

/** Whether somebody born on `bornOn` is under 18 today in Paris. */
export const isChildOn = (bornOn: string, now: Date): boolean =>
  bornOn !== "" && addMonths(bornOn, 18 * 12) > parisDay(now);

const nameForm = /^[\p{L}\p{M} .'’-]{1,60}$/u;

/** First and last name as one, of which either may be blank; adds a fault to `wrong` for an invalid name. */
export function holderName(first: string, last: string, wrong: string[]): string {
  if (first.trim() === "" || last.trim() === "") {
    return namePart("prénom ou nom", `${first}${last}`, wrong);
  }
  return [namePart("prénom", first, wrong), namePart("nom", last, wrong)].join(" ");
}

function namePart(what: string, typed: string, wrong: string[]): string {
  if (unprintedIn(tidyName(typed)) !== "") {
    wrong.push(`${what} : écrivez-le en lettres latines, comme sur un passeport`);
    return "";
  }
  try {
    const name = cleanName(typed);
    if (nameForm.test(name)) return name;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  wrong.push(`${what} : 1 à 60 lettres, espaces, tirets ou apostrophes`);
  return "";
}

/** An ISO day from one as people write it, "" with a fault when it is no past day. */
export function birthDay(typed: string, now: Date, wrong: string[]): string {
  const day = dayIn(typed);
  if (day !== null && day <= parisDay(now)) return day;
  wrong.push("naissance : un jour passé, JJ/MM/AAAA");
  return "";
}

/** An e-mail address, null for "". */
export function emailIn(typed: string, wrong: string[]): string | null {
  if (typed === "") return null;
  const read = z.safeParse(c.email, plainEmail(typed));
  if (read.success) return read.data;
  wrong.push("email : cette adresse n'est pas valable");
  return null;
}

/** A phone number as E.164, null for "". */
export function phoneIn(typed: string, wrong: string[]): string | null {
  if (typed === "") return null;
  try {
    return phoneOf(plainPunctuation(typed));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    wrong.push("téléphone : ce numéro n'est pas valable");
    return null;
  }
}
