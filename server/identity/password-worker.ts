// The process that hashes passwords (Argon2id), apart from the server's own.
import { hash, verify } from "@node-rs/argon2";
import { answerTasks } from "#server/process/work-entry.ts";

// OWASP's second profile; the function's default algorithm is Argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Without `storedHash` the password is hashed; with it, compared. */
export interface PasswordTask {
  password: string;
  storedHash?: string;
}

answerTasks(({ password, storedHash }: PasswordTask): Promise<string | boolean> =>
  storedHash === undefined ? hash(password, cost) : verify(storedHash, password),
);
