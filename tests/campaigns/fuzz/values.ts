// Values for a field, from the JSON schema of its row: values in the schema, and values against it. What only
// a running portal knows (a wallet's id, a card) is a `Picked`, put in later: the same seed draws the same
// requests on another database.
import * as fc from "fast-check";

/** The part of JSON Schema that the contract uses. */
export interface Shape {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  allOf?: Shape[];
}

/** A value to be taken from the portal: `at` chooses among those of the `pool`. */
export interface Picked {
  $pick: "id" | "card" | "code" | "password" | "email";
  /** Name of the field. */
  field: string;
  /** Among what the caller has seen of its own, or among what anyone has. */
  own: boolean;
  at: number;
}

export const isPicked = (value: unknown): value is Picked =>
  typeof value === "object" && value !== null && "$pick" in value;

type Drawn = fc.Arbitrary<unknown>;

const picked = ($pick: Picked["$pick"], field: string): Drawn =>
  fc.record({
    $pick: fc.constant($pick),
    field: fc.constant(field),
    own: fc.integer({ min: 0, max: 9 }).map((die) => die < 7),
    at: fc.nat(10_000),
  });

const isCard = ({ minimum, maximum }: Shape) =>
  minimum === 1_000_000_000 && maximum === 2_999_999_999;

/** Values that the schema of a field means to accept. */
export function inSchema(field: string, shape: Shape): Drawn {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((one) => inSchema(field, one)));
  switch (shape.type) {
    case "object":
      return objectOf(shape);
    case "array":
      return fc.array(inSchema(field, shape.items ?? {}), {
        maxLength: Math.min(shape.maxItems ?? 4, 10),
      });
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return numberOf(field, shape);
    case "string":
      return stringOf(field, shape);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Objects with the required properties and any of the others. */
export function objectOf({ properties = {}, required = [] }: Shape): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, one]) => [name, inSchema(name, one)]);
  return fc.record(Object.fromEntries(fields) as Record<string, Drawn>, {
    requiredKeys: required,
    noNullPrototype: true,
  });
}

function numberOf(field: string, shape: Shape): Drawn {
  const min = Math.max(shape.minimum ?? -1e9, Number.MIN_SAFE_INTEGER);
  const max = Math.min(shape.maximum ?? 1e9, Number.MAX_SAFE_INTEGER);
  const any = fc.integer({ min, max });
  if (isCard(shape) || field === "login") {
    return fc.oneof({ weight: 9, arbitrary: picked("card", field) }, any);
  }
  const usual = [min, min + 1, 1, 7, 20, 100, 500, 600, 2000, 5000, 50_000, max - 1, max];
  const inside = usual.filter((value) => value >= min && value <= max);
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...inside) }, any);
}

/** Words of the portal's own without which a row refuses before it works. */
const ownWords: Readonly<Record<string, string>> = {
  service: "devenir-partenaire",
  siret: "73282932000074",
  category: "restaurant",
};

function stringOf(field: string, shape: Shape): Drawn {
  const word = shape.format === undefined ? ownWords[field] : undefined;
  return word === undefined
    ? anyStringOf(field, shape)
    : fc.oneof(
        { weight: 9, arbitrary: fc.constant(word) },
        { weight: 1, arbitrary: anyStringOf(field, shape) },
      );
}

function anyStringOf(field: string, shape: Shape): Drawn {
  if (shape.format === "uuid") return picked("id", field);
  if (shape.format === "date") return day;
  if (shape.format === "date-time") return day.map((on) => `${on}T12:30:00Z`);
  if (shape.format === "email") {
    return fc.oneof(picked("email", field), fc.constantFrom(...emails), fc.emailAddress());
  }
  if (/password|^current$/.test(field)) {
    return fc.oneof(picked("password", field), fc.constantFrom(...passwords), textOf(shape));
  }
  if (/phone/.test(field)) return fc.constantFrom(...phones);
  if (shape.pattern === "^\\d{6}$") {
    return fc.oneof(picked("code", field), fc.stringMatching(/^\d{6}$/));
  }
  if (shape.pattern && !shape.pattern.startsWith("^[^\\0")) {
    return fc.stringMatching(new RegExp(shape.pattern, "u"), { maxLength: shape.maxLength ?? 200 });
  }
  return textOf(shape);
}

const textOf = ({ minLength = 0, maxLength = 200 }: Shape): Drawn =>
  fc.string({
    unit: "binary",
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, 300)),
  });

const day = fc.oneof(
  fc.constantFrom(
    "0001-01-01",
    "1582-10-10",
    "1999-12-31",
    "2024-02-29",
    "2026-03-29",
    "9999-12-31",
  ),
  fc.constant("0000-01-01"),
  fc
    .date({ min: new Date("2020-01-01"), max: new Date("2032-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const emails = ["nouvelle.adresse@exemple.fr", "UPPER@EXEMPLE.FR", "a+b@x.fr", "o'neil@exemple.fr"];
const phones = ["0612345699", "+33612345698", "06 12 34 56 97", "0112", "+999999999999", "allo?"];
const passwords = ["une phrase longue et rare 7", "x", "motdepasse123", "demo-ma-carte-2027"];

const uuids = [
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "6F1D5F0E-8F53-4A86-9D2C-0F0A4F6C1A2B",
  "{6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b}",
  "6f1d5f0e8f534a869d2c0f0a4f6c1a2b",
];
const nested = (depth: number): unknown =>
  depth === 0 ? [] : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };

/** Groups of values as one list. */
export const concat = <T>(...groups: readonly (readonly T[])[]): T[] => groups.flat();

/** Values that no field expects. Each can be written in JSON. */
const odd: readonly unknown[] = concat<unknown>(
  [null, true, false, 0, -1, -0, 0.5, 1e-7, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 1e21],
  ["", " ", "0", "-1", "1e3", "0x10", "1_000", "null", "NaN", "Infinity", "true", "undefined"],
  ["\0", "a\0b", "\ud800", "x\udfff", "\u202eabc", "\ufeff", "\r\nSet-Cookie: a=b", "١٢٣٤"],
  ["'; drop table person; --", "%00", "%", "%ff", "\\", "../../etc/passwd", "${7*7}", "_%"],
  ["<script>alert(1)</script>", "=1+1", "__proto__", "constructor", "hasOwnProperty"],
  ["2026-02-30", "2026-13-01", "0000-00-00", "-0001-01-01", "+275760-09-13", "infinity", "now"],
  ["A".repeat(300), "é".repeat(5000), "𝕏".repeat(129), " ".repeat(2000)],
  [[], [null], [[1]], {}, { a: 1 }, { $gt: "" }, { toString: 1 }, { length: -1 }, nested(60)],
  uuids,
);

/** Values on the edges of a field's schema and far outside it. */
export function againstSchema(field: string, shape: Shape): Drawn {
  const { minimum, maximum, minLength, maxLength } = shape;
  const edges: unknown[] = [];
  for (const bound of [minimum, maximum]) {
    if (bound !== undefined) edges.push(bound - 1, bound, bound + 1, bound + 0.5, String(bound));
  }
  for (const length of [minLength, maxLength]) {
    if (length !== undefined) {
      edges.push("z".repeat(Math.max(0, length - 1)), "z".repeat(length), "z".repeat(length + 1));
      edges.push("é".repeat(length + 1), "𝕏".repeat(Math.ceil(length / 2)));
    }
  }
  const wrapped = inSchema(field, shape).chain((value) =>
    fc.constantFrom([value], { 0: value }, [value, value], { [field]: value }),
  );
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...odd) },
    ...(edges.length > 0 ? [{ weight: 3, arbitrary: fc.constantFrom(...edges) }] : []),
    { weight: 1, arbitrary: wrapped },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.double() },
  );
}
