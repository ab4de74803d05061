// Where a person can be reached, and how an address is shown to someone who may not be that person.
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Problem } from "#contract/errors.ts";
import type { Config } from "#server/config.ts";
import { seal, type Keys } from "./keys.ts";

export interface Contact {
  channel: "email" | "sms";
  address: string;
}

/** Which channels carry messages here; in demo mode both, since messages are kept and shown. */
const channelsOf = (config: Config) => ({
  email: config.demo || config.smtpUrl !== null,
  sms: config.demo || config.smsUrl !== null,
});

/** Whether this installation can carry messages on a channel. */
export const carries = (config: Config, channel: Contact["channel"]): boolean =>
  channelsOf(config)[channel];

/** Refuses `no_channel`, with whom to call where that is known (decision 20). */
export const noChannel = ({ supportPhone }: Config): Problem =>
  new Problem("no_channel", { supportPhone });

/** The contact on file that a message can reach, e-mail first, null when there is none. */
export function onFile(
  config: Config,
  person: { email: string | null; phonenumber: string | null },
): Contact | null {
  if (person.email !== null && carries(config, "email")) {
    return { channel: "email", address: person.email };
  }
  if (person.phonenumber !== null && carries(config, "sms")) {
    return { channel: "sms", address: person.phonenumber };
  }
  return null;
}

/** « c•••@e•••.fr », « 06 •• •• •• 01 »: enough to recognise, too little to learn. */
export function masked({ channel, address }: Contact): string {
  if (channel === "sms") {
    return address.startsWith("+33")
      ? `0${address.slice(3, 4)} •• •• •• ${address.slice(-2)}`
      : `${address.slice(0, 3)} ••• ${address.slice(-2)}`;
  }
  const at = address.lastIndexOf("@");
  const dot = address.lastIndexOf(".");
  return `${address.slice(0, 1)}•••@${address.slice(at + 1, at + 2)}•••${address.slice(dot)}`;
}

const letters = "abcdefghijlmnprstv";
const hosts = [
  "g•••.com",
  "o•••.fr",
  "f•••.fr",
  "l•••.net",
  "h•••.fr",
  "w•••.fr",
  "o•••.com",
  "s•••.fr",
];

/**
 * The masked address shown for a card that nobody can be reached by: always the same for one card, of
 * the same form as a true one, so that it tells nothing about the card (decision 20).
 */
export function decoyFor(config: Config, keys: Keys, cardnumber: number): string {
  const [kind = 0, first = 0, second = 0] = seal(keys, "decoy address", String(cardnumber));
  const { email, sms } = channelsOf(config);
  if (sms && (!email || kind < 32)) {
    return `0${6 + (first % 2)} •• •• •• ${String(second % 100).padStart(2, "0")}`;
  }
  return `${letters[first % letters.length]}•••@${hosts[second % hosts.length]}`;
}

/** A typed phone number as E.164, French unless it says otherwise. Refuses `phone_invalid`. */
export function phoneOf(typed: string): string {
  const phone = parsePhoneNumberFromString(typed, "FR");
  if (!phone?.isValid()) throw new Problem("phone_invalid");
  return phone.number;
}
