// A passkey authenticator in software, so that room tests make real answers and wrong ones: another
// site, nobody verified, an old counter, a signature of something else. Browsers' own are for journeys.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest();
const url = (bytes: Buffer | string): string => Buffer.from(bytes).toString("base64url");

/** Ways in which an answer differs from that of an honest device. */
export interface Lies {
  origin?: string;
  rpID?: string;
  challenge?: string;
  /** The device did not check who holds it. */
  unverified?: boolean;
  counter?: number;
  userHandle?: string;
  type?: string;
  /** One bit of the signature is turned. */
  forged?: boolean;
}

/** CBOR of what an attestation holds: small maps of integers, texts and bytes. */
function cbor(value: unknown): Buffer {
  const head = (major: number, count: number): Buffer => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    if (count < 256) return Buffer.from([(major << 5) | 24, count]);
    return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  };
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, pairs.length), ...pairs.flat().map(cbor)]);
}

function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = (text: string) => Buffer.from(text, "base64url");
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]),
  );
}

/** One passkey of one device. `site` is the origin that the device believes to be on. */
export function newPasskey(site = "http://localhost") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const rpID = new URL(site).hostname;
  let counter = 0;
  let handle: string | undefined;
  const clientData = (type: string, challenge: string, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? site,
        crossOrigin: false,
      }),
    );
  const head = (flags: number, lies: Lies): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? counter);
    const verified = lies.unverified ? 0 : 4;
    return Buffer.concat([sha256(lies.rpID ?? rpID), Buffer.from([flags | 1 | verified]), count]);
  };
  const named = { id: url(id), rawId: url(id), type: "public-key" };
  return {
    id: url(id),
    /** Answers `navigator.credentials.create`. */
    register(options: { challenge: string; user: { id: string } }, lies: Lies = {}) {
      handle = options.user.id;
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([
        head(0x40, lies),
        Buffer.alloc(16),
        length,
        id,
        coseOf(publicKey),
      ]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      const clientDataJSON = url(clientData("webauthn.create", options.challenge, lies));
      const attestationObject = url(cbor(attestation));
      return {
        ...named,
        response: { clientDataJSON, attestationObject, transports: ["internal"] },
      };
    },
    /** Answers `navigator.credentials.get`. */
    sign(options: { challenge: string }, lies: Lies = {}) {
      counter = lies.counter ?? counter + 1;
      const data = clientData("webauthn.get", options.challenge, lies);
      const authenticatorData = head(0, lies);
      const signature = sign(
        "sha256",
        Buffer.concat([authenticatorData, sha256(data)]),
        privateKey,
      );
      if (lies.forged) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      const userHandle = lies.userHandle ?? handle;
      return {
        ...named,
        response: {
          clientDataJSON: url(data),
          authenticatorData: url(authenticatorData),
          signature: url(signature),
          ...(userHandle !== undefined && { userHandle }),
        },
      };
    },
  };
}

export type SoftPasskey = ReturnType<typeof newPasskey>;
