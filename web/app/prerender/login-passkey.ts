// Logging in with a passkey from the prerendered login: fetched when its button is pressed.
import { api } from "#contract/api.ts";
import { call } from "../api.ts";
import { paths } from "../guards.ts";
import { signWithPasskey } from "../passkeys.ts";
import { returnPath } from "#web/app/addresses.ts";
import { openSession } from "../session.ts";

/** Lets the browser find a passkey, then goes where the password would have led (spec.md 3). */
export async function enterByPasskey(): Promise<void> {
  const { options } = await call(api.identity.passkeyChallenge, {});
  const response = await signWithPasskey(options);
  await openSession(await call(api.identity.passkeyLogin, { response }));
  location.replace(returnPath(location.search, paths.home));
}
