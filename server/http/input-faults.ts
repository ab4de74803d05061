// Faults of values that a schema refuses, in words for the person who typed them: a schema's own message and
// field names are for programs.
import type * as z from "zod/mini";
import { formatCount, plural } from "#contract/french.ts";

type Issue = z.core.$ZodIssue;

const formats: Readonly<Record<string, string>> = {
  email: "adresse e-mail non valable",
  date: "date non valable, AAAA-MM-JJ attendu",
  datetime: "date et heure non valables",
  url: "adresse web non valable",
};

/** French, without a full stop; `input` is the whole value in which the issue was found. */
export function faultOf(issue: Issue, input: unknown): string {
  if (valueAt(input, issue.path) === undefined) return "une information obligatoire manque";
  if (issue.code === "too_big") return `${sizeOf(issue.origin, issue.maximum)} au plus`;
  if (issue.code === "too_small") return `${sizeOf(issue.origin, issue.minimum)} au moins`;
  if (issue.code === "invalid_format") return formats[issue.format] ?? "format non valable";
  if (issue.code === "invalid_value") return "choix inconnu";
  if (issue.code === "unrecognized_keys") return "rubrique inconnue";
  // A check of ours may have its own message; the others get the texts below.
  const isOurs = issue.code === "custom" && issue.message !== "Invalid input";
  return isOurs ? issue.message : "valeur inattendue";
}

function sizeOf(origin: string, bound: number | bigint): string {
  const count = Number(bound);
  if (origin === "string") return plural(count, "caractère");
  if (origin === "array" || origin === "set") return plural(count, "élément");
  return formatCount(count);
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (now, key) =>
      typeof now === "object" && now !== null
        ? (now as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );
