// The dependencies given to every room: nothing else is global, so a test can substitute `now` and `send`.
import type pg from "pg";
import type { Logger } from "pino";
import type { Attachment } from "./attachment.ts";
import type { Config } from "./config.ts";
import type { Db, Tx } from "#server/db/db.ts";

/** A message to a person outside the portal. `secret` ones (codes) are blanked once they left. */
export interface Message {
  channel: "email" | "sms";
  address: string;
  subject: string;
  /** Text; an e-mail always has it, beside its HTML. */
  body: string;
  html?: string;
  attachments?: readonly Attachment[];
  personId: number | null;
  /** A message with a code: useless after ten minutes, blanked once it left. */
  secret?: boolean;
}

/** Puts a message in the outbox inside the caller's transaction: it leaves only if that commits. */
export type Send = (tx: Tx, message: Message) => Promise<void>;

/** Puts a job in the queue inside the caller's transaction; one `key` waits at most once. */
export type Enqueue = (
  tx: Tx,
  task: string,
  payload: Record<string, unknown>,
  when?: { runAt?: Date; key?: string },
) => Promise<void>;

export interface Deps {
  db: Db;
  /** The replica for reads on which no decision depends, used by `reading` only (server/db/replica.ts). */
  replica?: Db;
  pool: pg.Pool;
  now: () => Date;
  send: Send;
  enqueue: Enqueue;
  config: Config;
  log: Logger;
}
