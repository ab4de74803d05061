// A browser's answer signed with a passkey (WebAuthn, AuthenticationResponseJSON).
import * as z from "zod/mini";

export const base64url = (max: number) => z.string().check(z.maxLength(max), z.regex(/^[\w-]+$/));

export const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal("public-key"),
};

export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: z.optional(base64url(100)),
  }),
});
export type Assertion = z.output<typeof assertion>;
