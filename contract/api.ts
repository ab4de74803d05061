// Table of contents of the contract: every call of the portal, by room.
import { cards } from "./cards.ts";
import { contact } from "./contact.ts";
import { content } from "./content.ts";
import { custody } from "./custody.ts";
import { documents } from "./documents.ts";
import type { Row } from "./endpoint.ts";
import { enrolment } from "./enrolment.ts";
import { entitlements } from "./entitlements.ts";
import { family } from "./family.ts";
import { health } from "./health.ts";
import { fundings } from "./funding.ts";
import { identity } from "./identity.ts";
import { notifications } from "./notifications.ts";
import { passes } from "./passes.ts";
import { partners } from "./partners.ts";
import { payments } from "./payments.ts";
import { portal } from "./portal.ts";
import { privacy } from "./privacy.ts";
import { signIn } from "./sign-in.ts";
import { transit } from "./transit.ts";
import { subscriptions } from "./subscriptions.ts";
import { tickets } from "./tickets.ts";
import { wallets } from "./wallet.ts";

export const api = {
  identity: { ...identity, ...signIn },
  documents,
  family: { ...family, ...custody },
  health,
  cards,
  wallet: wallets,
  enrolment,
  entitlements,
  payments,
  transit,
  subscriptions,
  passes,
  partners,
  funding: fundings,
  notifications,
  tickets,
  content,
  privacy,
  contact,
  portal,
} as const;

/** Every row with its name `room.row`, in the order of the rooms. */
export function everyRow(): { name: string; row: Row }[] {
  return Object.entries(api).flatMap(([room, rows]) =>
    Object.entries(rows as Record<string, Row>).map(([name, row]) => ({
      name: `${room}.${name}`,
      row,
    })),
  );
}
