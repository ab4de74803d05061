// Kinds of notice, and the channels that deliver them outside the portal.

/** Kinds of notice, one for each thing that a person may choose to be told about or not. */
export const noticeKinds = [
  "security",
  "card",
  "family",
  "rights",
  "top_up",
  "transfer",
  "money_request",
  "grant",
  "expiry",
  "funding",
  "pass",
  "subscription",
  "membership",
  "ticket",
  "meal",
  "meal_reminder",
  "purchase",
  "invoice",
  "partnership",
  "contact",
  "privacy",
  "welcome",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const channels = ["email", "sms"] as const;
export type Channel = (typeof channels)[number];

/** Kinds that cannot be turned off: those that protect the account, and those about its data. */
export const mandatoryKinds: ReadonlySet<NoticeKind> = new Set(["security", "privacy"]);

/**
 * Kinds that a person may have sent to them, or not, by channel. A transfer received is shown by the bell
 * alone.
 */
export const choosableKinds = [
  "card",
  "family",
  "money_request",
  "rights",
  "top_up",
  "expiry",
  "funding",
  "pass",
  "subscription",
  "membership",
  "ticket",
  "meal",
  "meal_reminder",
  "purchase",
  "invoice",
  "partnership",
  "contact",
] as const satisfies readonly NoticeKind[];
export type ChoosableKind = (typeof choosableKinds)[number];

/** Choosable kinds that leave the portal by default: by e-mail, else by SMS. */
export const usuallySent: ReadonlySet<NoticeKind> = new Set([
  "card",
  "money_request",
  "rights",
  "top_up",
  "expiry",
  "funding",
  "pass",
  "subscription",
  "membership",
  "ticket",
  "meal",
  "meal_reminder",
  "purchase",
  "invoice",
  "partnership",
  "contact",
]);

/** Kinds that a person may leave out of the bell too: they remind, and tell nothing that happened. */
export const bellOptionalKinds: ReadonlySet<NoticeKind> = new Set(["meal_reminder"]);

/** What a choice is about: a channel, or the bell. */
export const choiceTargets = [...channels, "bell"] as const;
export type ChoiceTarget = (typeof choiceTargets)[number];

/** Whether a channel reaches a person: no address on file, or not supported by this installation. */
export const channelStates = ["ready", "no_address", "off"] as const;
export type ChannelState = (typeof channelStates)[number];
