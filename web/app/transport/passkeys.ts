// Passkeys as browsers make and use them. The library is fetched when a person asks for one.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { Input } from "#contract/endpoint.ts";
import type { signIn } from "#contract/identity/sign-in.ts";

const library = () => import("@simplewebauthn/browser");

/** The person went back, waited too long, or the device would not: nothing was done. */
export class PasskeyAbandoned extends Error {
  override readonly name = "PasskeyAbandoned";
}

const abandoned =
  "La demande a été interrompue, ou aucune clé d’accès n’a répondu. Réessayez quand vous voulez.";
const known = "Cet appareil a déjà une clé d’accès pour votre compte.";

async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: string };
    const twice =
      code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED" || name === "InvalidStateError";
    throw new PasskeyAbandoned(twice ? known : abandoned, { cause: error });
  }
}

type Attestation = Input<typeof signIn.addPasskey>["response"];
type Assertion = Input<typeof signIn.passkeyLogin>["response"];

/** Makes a passkey on this device; throws PasskeyAbandoned with what to tell. */
export async function makePasskey(options: object): Promise<Attestation> {
  const { startRegistration } = await library();
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return (await translateErrors(() => startRegistration({ optionsJSON }))) as Attestation;
}

/** Signs with a passkey that the browser finds; throws PasskeyAbandoned with what to tell. */
export async function signWithPasskey(options: object): Promise<Assertion> {
  const { startAuthentication } = await library();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return (await translateErrors(() => startAuthentication({ optionsJSON }))) as Assertion;
}
