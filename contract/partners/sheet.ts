// The part of a partner sheet that its owner edits: card holders see changes at once.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { hour, offer } from "./rows.ts";

/** Most entries of each list on a sheet. */
export const sheetLists = { spans: 28, closures: 50, offers: 20 } as const;

const span = z
  .object({ weekday: z.int().check(z.minimum(1), z.maximum(7)), opens: hour, closes: hour })
  .check(z.refine(({ opens, closes }) => opens < closes, "fermeture avant l'ouverture"));

const closure = z
  .object({ fromOn: c.day, toOn: c.day, reason: c.text(120, 1) })
  .check(z.refine(({ fromOn, toOn }) => fromOn <= toOn, "fin avant le début"));

const writtenOffer = z
  .object({
    kind: offer.shape.kind,
    title: c.text(80, 1),
    detail: z.nullable(c.text(300)),
    fromOn: z.nullable(c.day),
    toOn: z.nullable(c.day),
  })
  .check(
    z.refine(
      ({ fromOn, toOn }) => fromOn === null || toOn === null || fromOn <= toOn,
      "fin avant le début",
    ),
  );

const written = {
  summary: c.text(160, 1),
  /** Paragraphs, separated by an empty line. */
  description: c.text(2000, 1),
  /** Times of Paris; 24:00 for midnight at the end of a day. */
  hours: z.array(span).check(z.maxLength(sheetLists.spans)),
  closures: z.array(closure).check(z.maxLength(sheetLists.closures)),
  offers: z.array(writtenOffer).check(z.maxLength(sheetLists.offers)),
};

export const editableSheet = z.object({
  id: c.uuid,
  name: z.string(),
  /** False while it is left out of the directory. */
  listed: z.boolean(),
  /** Whether the caller's role may edit it. */
  canEdit: z.boolean(),
  ...written,
  /** E.164. */
  phone: z.nullable(z.string()),
});
export type EditableSheet = z.output<typeof editableSheet>;

export const partnersSheet = {
  editableSheet: c.row({
    method: "GET",
    path: "/api/partners/own/:id",
    access: "professional",
    right: "anyRole",
    of: { id: "sheet" },
    reads: ["partners"],
    summary: "A sheet of the caller's company as it is written, past closures left out",
    source: "server/partners/README.md#sheets-written-by-their-owner; spec.md 27",
    input: z.object({ id: c.uuid }),
    output: editableSheet,
    problems: [],
  }),
  writeSheet: c.row({
    method: "POST",
    path: "/api/partners/own/:id",
    access: "professional",
    right: "decide",
    of: { id: "sheet" },
    changes: ["partners", "activity"],
    summary: "Writes what an own sheet says: text, phone, hours, closures, offers; shown at once",
    source: "server/partners/README.md#sheets-written-by-their-owner; spec.md 27",
    input: z.object({ id: c.uuid, ...written, phone: z.nullable(c.phone) }),
    output: editableSheet,
    problems: ["phone_invalid", "partner_hours_overlap", "partner_closures_overlap"],
  }),
} as const;
