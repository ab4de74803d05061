// Logging in with a passkey from the prerendered login: fetched when its button is pressed.
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { returnPath } from "#web/app/shared/addresses.ts";
import { call } from "#web/app/transport/api.ts";
import { signWithPasskey } from "#web/app/transport/passkeys.ts";
import { openSession } from "#web/app/transport/session.ts";

/** Lets the browser find a passkey, then goes where the password would have led (spec.md 3). */
export async function enterByPasskey(): Promise<void> {
  const { options } = await call(api.identity.passkeyChallenge, {});
  const response = await signWithPasskey(options);
  await openSession(await call(api.identity.passkeyLogin, { response }));
  location.replace(returnPath(location.search, paths.dashboard));
}
