// Channels of messages: which are configured, and which addresses of a person they reach.
import type { Channel } from "#contract/notifications/kinds.ts";
import type { Config } from "#server/process/config.ts";

export interface Contact {
  channel: Channel;
  address: string;
}

type Settings = Pick<Config, "demo" | "smtpUrl" | "smsUrl">;

/**
 * Whether this installation sends messages on a channel; in demo mode both, stored and shown instead of sent.
 */
export const carries = (config: Settings, channel: Channel): boolean =>
  config.demo || (channel === "email" ? config.smtpUrl : config.smsUrl) !== null;

interface OnFile {
  email: string | null;
  phonenumber: string | null;
}

/** The addresses on file that a message can reach, the e-mail first. */
export function contactsOnFile(config: Settings, { email, phonenumber }: OnFile): Contact[] {
  const contacts: Contact[] = [];
  if (email !== null && carries(config, "email")) {
    contacts.push({ channel: "email", address: email });
  }
  if (phonenumber !== null && carries(config, "sms")) {
    contacts.push({ channel: "sms", address: phonenumber });
  }
  return contacts;
}
