// Menus imported from a file of the French schema « menus-collectifs » (schema.data.gouv.fr,
// scdl/menus-collectifs 1.2.3): one dish a line.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { menuFile } from "./limits.ts";
import { dish, menuWeek } from "./menus.ts";

const fault = z.object({
  /** Restaurant and guests of its line. */
  source: z.string(),
  /** Line of the file, the first being 1. */
  line: z.int(),
  /** As the file spells it; "" for the line as a whole. */
  column: z.string(),
  /** French: what is wrong and what to write. */
  what: z.string(),
});
export type MenuFileFault = z.output<typeof fault>;

const importedDay = z.object({
  day: c.day,
  note: z.string(),
  dishes: z.array(dish),
  /** The menu that the day has now. */
  there: z.enum(["nothing", "draft", "published"]),
});
export type ImportedDay = z.output<typeof importedDay>;

const preview = z.object({
  /** Restaurant and guests of each menu in the file, in its order; one of them is imported. */
  sources: z.array(z.string()),
  source: z.string(),
  /**
   * Faults of every menu of the file while none is chosen, else of the chosen one. With any, nothing can be
   * imported.
   */
  faults: z.array(fault),
  /** The reading stopped at the last of them: there may be more. */
  stopped: z.boolean(),
  /** The days that would be written, the earliest first; none while there are faults. */
  days: z.array(importedDay),
  /** French: what the file says that the import leaves out, and what to look at. */
  notes: z.array(z.string()),
  /** Fingerprint of what would be written and replaced; the import is refused once it has changed. */
  fingerprint: z.string(),
});
export type MenuImportPreview = z.output<typeof preview>;

const choices = {
  /** One of the sources of the file; the first by default. */
  source: z.optional(c.text(300)),
  /** Whether prices are imported: the schema has the cost of a dish there, some files have its price. */
  prices: z.enum(["true", "false"]),
};

export const canteenMenuImport = {
  previewMenuImport: c.row({
    method: "POST",
    path: "/api/canteen/menus/import/preview",
    access: "professional",
    right: "cook",
    of: "provider",
    reads: ["menus"],
    summary:
      "Reads a menus-collectifs CSV, the body itself, and says what it would write; writes nothing",
    source: "server/kitchen/README.md#import-of-menus",
    body: "file",
    fileBytes: menuFile.bytes,
    input: z.object(choices),
    output: preview,
    rate: { max: 30, seconds: 60 },
    problems: [
      "document_too_large",
      "file_too_slow",
      "menu_file_type",
      "menu_file_unreadable",
      "menu_file_columns",
    ],
  }),
  importMenus: c.row({
    method: "POST",
    path: "/api/canteen/menus/import",
    access: "professional",
    right: "cook",
    of: "provider",
    changes: ["menus"],
    summary:
      "Writes the menus of a previewed file, all or none; new days to be published or at once, published ones stay so",
    source: "server/kitchen/README.md#import-of-menus",
    body: "file",
    fileBytes: menuFile.bytes,
    input: z.object({
      ...choices,
      publish: z.enum(["true", "false"]),
      /** Dishes whose allergens are not declared are published too. */
      undeclared: z.optional(z.enum(["true", "false"])),
      fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    }),
    /** The first week that was written. */
    output: z.object({ ...menuWeek.shape, days: z.int() }),
    rate: { max: 30, seconds: 60 },
    problems: [
      "document_too_large",
      "file_too_slow",
      "menu_file_type",
      "menu_file_unreadable",
      "menu_file_columns",
      "menu_file_faults",
      "menu_preview_changed",
      "menu_undeclared",
    ],
  }),
} as const;
