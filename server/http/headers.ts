// Security headers of every answer; the policy of pages is written by the web build (dist/csp.json).
import type { FastifyInstance } from "fastify";

const forAnswers = "default-src 'none'; frame-ancestors 'none'";

// Features that the portal's own pages use; all others are denied to them and to any frame.
const ownFeatures = [
  "camera",
  "clipboard-write",
  "geolocation",
  "publickey-credentials-create",
  "publickey-credentials-get",
  "screen-wake-lock",
];
const refusedFeatures = [
  "accelerometer",
  "autoplay",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gyroscope",
  "hid",
  "idle-detection",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "serial",
  "usb",
  "xr-spatial-tracking",
];
const permissionsPolicy = [
  ...ownFeatures.map((feature) => `${feature}=(self)`),
  ...refusedFeatures.map((feature) => `${feature}=()`),
].join(", ");

/** Sets the headers that every answer carries; a page brings its own policy. */
export function secureHeaders(app: FastifyInstance, { https }: { https: boolean }): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "same-origin");
    reply.header("cross-origin-opener-policy", "same-origin");
    reply.header("x-request-id", request.id);
    reply.header("permissions-policy", permissionsPolicy);
    if (https) reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
    if (!reply.hasHeader("content-security-policy")) {
      reply.header("content-security-policy", forAnswers);
    }
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
    done(null, payload);
  });
}
