// The sheets of the directory that a professional's company has, and the category that it chooses.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { slug } from "./rows.ts";

const ownSheets = z.object({
  /** Whether the caller's role may edit them. */
  canEdit: z.boolean(),
  items: z.array(
    z.object({
      id: c.uuid,
      name: z.string(),
      /** False while it is left out of the directory. */
      listed: z.boolean(),
      /** `top` is the category of the first level. */
      category: z.object({ id: slug, name: z.string(), top: slug }),
    }),
  ),
});
export type OwnSheets = z.output<typeof ownSheets>;

export const partnersOwn = {
  ownSheets: c.row({
    method: "GET",
    path: "/api/partners/own",
    access: "professional",
    right: "anyone",
    of: "self",
    reads: ["partners"],
    summary: "The sheets of the caller's company with their categories",
    source: "server/partners/README.md#sheets-written-by-their-owner",
    input: c.emptyObject,
    output: ownSheets,
    problems: [],
  }),
  chooseCategory: c.row({
    method: "POST",
    path: "/api/partners/own/:id/category",
    access: "professional",
    right: "decide",
    of: { id: "sheet" },
    changes: ["partners", "activity"],
    summary: "Puts a sheet of the caller's company under another category",
    source: "server/partners/README.md#sheets-written-by-their-owner",
    input: z.object({ id: c.uuid, category: slug }),
    output: z.object({ message: z.string() }),
    problems: ["partner_category_unknown"],
  }),
} as const;
