// Avatars: the picture of a person, beside or in place of their initials.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { avatars as limits } from "../limits.ts";

const path = "/api/avatars";

/** The address of an avatar: its id changes with the picture, so that a cached copy is never an old one. */
export const avatarAddress = (id: string): string => `${path}/${id}`;

const ofCard = z.object({ cardnumber: c.cardnumberInPath });
/** Null where the person has none: their initials are shown. */
const avatarView = z.object({ avatar: z.nullable(z.string()) });

export const avatars = {
  set: c.row({
    method: "POST",
    path: "/api/cards/:cardnumber/avatar",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["family", "cards", "activity"],
    summary: "Sets one's own avatar or a child's: a JPEG or PNG as the body itself",
    source: "server/documents/README.md#avatars",
    body: "file",
    input: ofCard,
    output: avatarView,
    rate: { max: limits.setsPerHour, seconds: 3600 },
    problems: ["document_too_large", "document_type", "document_heic", "document_unreadable"],
  }),
  remove: c.row({
    method: "POST",
    path: "/api/cards/:cardnumber/avatar/remove",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["family", "cards", "activity"],
    summary: "Deletes an avatar; where there is none, nothing happens",
    source: "server/documents/README.md#avatars",
    input: ofCard,
    output: avatarView,
    problems: [],
  }),
  read: c.row({
    method: "GET",
    path: "/api/avatars/:id",
    access: "person",
    of: { id: "avatar" },
    summary: "The picture, for the person and their family",
    source: "server/documents/README.md#avatars",
    input: z.object({ id: c.uuid }),
    output: c.document,
    reply: "file",
    problems: [],
  }),
} as const;
