// A person's addresses, and how an address is shown to somebody who may not be that person.
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Problem } from "#contract/errors.ts";
import { codes as limits } from "#contract/limits.ts";
import { dialledInFrance, parseFrenchPhone } from "#contract/phones.ts";
import type { Db } from "#server/db/db.ts";
import { carries, type Contact } from "#server/notifications/notifications.ts";
import type { Config } from "#server/process/config.ts";
import type { Deps } from "#server/process/deps.ts";

/** Refuses `no_channel`, with the support's phone number where there is one (spec.md 20). */
export const noChannel = ({ supportPhone }: Config): Problem =>
  new Problem("no_channel", { supportPhone });

/** How long a channel must have been on file to prove anything (spec.md 29), in milliseconds. */
export const trustedAfterMs = limits.channelStandsHours * 3_600_000;

/** Whether an address on file since `since` (null: from the beginning) proves something at `at`. */
export const isTrusted = (since: Date | null, at: Date): boolean =>
  since === null || at.getTime() - since.getTime() >= trustedAfterMs;

/** A way to reach a person, and since when it is on file. */
export interface Channel extends Contact {
  since: Date | null;
}

/** Filled by later rooms: checks that refuse to replace a person's address. */
export const onContactReplaced: ((db: Db, personId: number) => Promise<void>)[] = [];

/** The addresses on file with their ages, the e-mail first, whether messages reach them or not. */
export async function addressesOf(db: Db, personId: number): Promise<Channel[]> {
  const person = await db
    .selectFrom("person")
    .select(["email", "emailSince", "phonenumber", "phoneSince"])
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  const all = [
    { channel: "email", address: person.email, since: person.emailSince },
    { channel: "sms", address: person.phonenumber, since: person.phoneSince },
  ] as const;
  return all.flatMap(({ address, ...rest }) => (address === null ? [] : [{ ...rest, address }]));
}

/**
 * The channels that messages reach and that are past their delay, the e-mail first; without one, when the
 * first will be (null: there is no channel at all).
 */
export async function channelsOf(
  { config, db, now }: Pick<Deps, "config" | "db" | "now">,
  personId: number,
): Promise<{ trusted: Contact[]; firstTrustedAt: Date | null }> {
  const all = await addressesOf(db, personId);
  const reached = all.filter(({ channel }) => carries(config, channel));
  const trusted = reached
    .filter(({ since }) => isTrusted(since, now()))
    .map(({ channel, address }) => ({ channel, address }));
  const times = reached.map(({ since }) => (since ?? now()).getTime() + trustedAfterMs);
  return { trusted, firstTrustedAt: times.length > 0 ? new Date(Math.min(...times)) : null };
}

/** « c•••@e•••.fr », « 06 •• •• •• 01 »: enough to recognise, too little to disclose. */
export function maskAddress({ channel, address }: Contact): string {
  if (channel === "sms") {
    const dialled = dialledInFrance(address);
    return dialled
      ? `${dialled.slice(0, 2)} •• •• •• ${dialled.slice(-2)}`
      : `${address.slice(0, 3)} ••• ${address.slice(-2)}`;
  }
  const at = address.lastIndexOf("@");
  const dot = address.lastIndexOf(".");
  return `${address.slice(0, 1)}•••@${address.slice(at + 1, at + 2)}•••${address.slice(dot)}`;
}

/**
 * A typed phone number, of France and its overseas regions unless it says otherwise. Refuses `phone_invalid`.
 */
function readPhone(typed: string) {
  const phone = parseFrenchPhone(typed, (text, region) => parsePhoneNumberFromString(text, region));
  if (!phone?.isValid()) throw new Problem("phone_invalid");
  return phone;
}

/** A typed phone number as E.164. Refuses `phone_invalid`. */
export const phoneOf = (typed: string): string => readPhone(typed).number;

/**
 * The same for a number that messages are sent to. Refuses `phone_not_mobile` for landlines, premium and
 * other special numbers, and those of no country (satellites): messages to them are expensive or never
 * arrive.
 */
export function mobileOf(typed: string): string {
  const phone = readPhone(typed);
  const type = phone.getType();
  const isMobile = type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE";
  if (!isMobile || phone.country === undefined) throw new Problem("phone_not_mobile");
  return phone.number;
}
