// The CSV file of holders to import: its columns, and what is wrong with a line, in French. It says
// nothing of who is already there (holders-import.ts).
import * as z from "zod/mini";
import { addMonths, parisDay } from "#contract/days.ts";
import * as c from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { type CsvRecord, csvRecords, decodeText } from "#server/http/csv-reader.ts";
import { phoneOf } from "#server/identity/identity.ts";
import { cleanName } from "./holders.ts";

/** One holder as the file says it. */
export interface HolderLine {
  /** Its line in the file, the header being 1. */
  line: number;
  /** The operator's own number for this person: what makes a second import of it change nothing. */
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

/** The holders of a file, and a French sentence for each fault, told by its line. */
export interface HoldersFile {
  holders: HolderLine[];
  faults: string[];
}

const needed = ["reference", "nom", "prenom", "naissance"] as const;
const optional = ["email", "telephone", "responsable"] as const;
type Column = (typeof needed)[number] | (typeof optional)[number];
const columns: ReadonlySet<string> = new Set([...needed, ...optional]);
const columnWords = `${needed.join(", ")} ; facultatives : ${optional.join(", ")}`;

const mostBytes = 10_000_000;
const mostHolders = 20_000;

/** Reads a file: UTF-8 with or without BOM, `;` or `,`, a header. `now` tells who is a child. */
export function readHolders(bytes: Buffer, now: Date): HoldersFile {
  const faulty = (fault: string) => ({ holders: [], faults: [fault] });
  if (bytes.length > mostBytes) return faulty("Le fichier dépasse 10 Mo : partagez-le.");
  const file = decodeText(bytes);
  if (file?.encoding !== "utf-8") {
    return faulty("Le fichier n'est pas en UTF-8 : enregistrez-le en «\u00a0CSV UTF-8\u00a0».");
  }
  const records = csvRecords(file.text, mostHolders + 2);
  if (typeof records === "string") return faulty(records);
  const [header, ...rows] = records;
  const names = header?.record.map(columnOf) ?? [];
  const missing = needed.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !columns.has(name));
  const doubled = names.filter((name, place) => names.indexOf(name) !== place);
  if (missing.length + unknown.length + doubled.length > 0) {
    const wrong = [
      missing.length > 0 ? `il manque ${missing.join(", ")}` : null,
      unknown.length > 0 ? `inconnu : ${unknown.join(", ")}` : null,
      doubled.length > 0 ? `deux fois : ${doubled.join(", ")}` : null,
    ].filter((one) => one !== null);
    return faulty(`ligne 1 : ${wrong.join(" ; ")}. Colonnes : ${columnWords}.`);
  }
  if (rows.length > mostHolders) return faulty("Le fichier dépasse 20 000 porteurs : partagez-le.");
  return linesOf(rows, names as Column[], now);
}

function linesOf(rows: readonly CsvRecord[], names: readonly Column[], now: Date): HoldersFile {
  const holders: HolderLine[] = [];
  const faults: string[] = [];
  const seen = new Map<string, number>();
  for (const { record, line } of rows) {
    const wrong: string[] = [];
    if (record.length !== names.length) {
      faults.push(`ligne ${line} : ${record.length} valeurs au lieu de ${names.length}.`);
      continue;
    }
    const cell = (name: Column) => record[names.indexOf(name)] ?? "";
    const one = holderIn(cell, { line, now, wrong });
    const first = seen.get(one.reference);
    if (first !== undefined) wrong.push(`référence déjà donnée à la ligne ${first}`);
    else seen.set(one.reference, line);
    if (wrong.length === 0) holders.push(one);
    else faults.push(`ligne ${line} : ${wrong.join(" ; ")}.`);
  }
  if (rows.length === 0) faults.push("Le fichier n'a aucun porteur sous sa ligne de titres.");
  return { holders, faults };
}

function holderIn(
  cell: (name: Column) => string,
  { line, now, wrong }: { line: number; now: Date; wrong: string[] },
): HolderLine {
  const reference = cell("reference");
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$/.test(reference)) {
    wrong.push("référence : 1 à 40 lettres, chiffres, points ou tirets");
  }
  const name = holderName(cell("prenom"), cell("nom"), wrong);
  const bornOn = birthDay(cell("naissance"), now, wrong);
  const guardian = cell("responsable") || null;
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

/** First and last name as one; adds to `wrong` what is no name. */
export const personName = (first: string, last: string, wrong: string[]): string =>
  [namePart("prénom", first, wrong), namePart("nom", last, wrong)].join(" ");

/** The same of a holder, who may have a single name: the other is blank. */
export function holderName(first: string, last: string, wrong: string[]): string {
  if (first.trim() !== "" && last.trim() !== "") return personName(first, last, wrong);
  return namePart("prénom ou nom", `${first}${last}`, wrong);
}

function namePart(what: string, typed: string, wrong: string[]): string {
  try {
    const name = cleanName(typed.normalize("NFC"));
    if (nameForm.test(name)) return name;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  wrong.push(`${what} : 1 à 60 lettres, espaces, tirets ou apostrophes`);
  return "";
}

/** An ISO day from `JJ/MM/AAAA` or `AAAA-MM-JJ`, "" with a fault when it is no past day. */
export function birthDay(typed: string, now: Date, wrong: string[]): string {
  const day = typed.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$2-$1");
  if (z.safeParse(c.day, day).success && day <= parisDay(now)) return day;
  wrong.push("naissance : un jour passé, JJ/MM/AAAA");
  return "";
}

const { email } = c;

/** An e-mail address, null for "". */
export function emailIn(typed: string, wrong: string[]): string | null {
  if (typed === "") return null;
  if (z.safeParse(email, typed).success) return typed;
  wrong.push("email : cette adresse n'est pas valable");
  return null;
}

/** A phone number as E.164, null for "". */
export function phoneIn(typed: string, wrong: string[]): string | null {
  if (typed === "") return null;
  try {
    return phoneOf(typed);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    wrong.push("téléphone : ce numéro n'est pas valable");
    return null;
  }
}

// "Prénom", "E-mail" and "téléphone" are prenom, email and telephone.
const columnOf = (title: string) =>
  title
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
