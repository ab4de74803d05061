// Where a browser sees the portal.
import type { FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/**
 * Whether the caller is a program of this machine. What passed through a proxy is not, even one that
 * says nothing of it: a portal with a public address has no such caller, only METRICS_TOKEN.
 */
export function isLoopback(config: Deps["config"], request: FastifyRequest): boolean {
  const { headers, socket } = request;
  const passedOn = ["x-forwarded-for", "forwarded", "via"].some((name) => name in headers);
  const from = socket.remoteAddress ?? "";
  const isNear = from === "::1" || /^(::ffff:)?127\./.test(from);
  return isNear && !passedOn && loopback.test(new URL(config.publicUrl).host);
}

/**
 * The portal's origin as this browser sees it, without a final slash: the configured one. On one's own
 * machine it is the name it was opened by: coming back under another one (localhost, 127.0.0.1) would
 * lose the session's cookies.
 */
export function siteOrigin({ config }: Pick<Deps, "config">, request: FastifyRequest): string {
  if (!loopback.test(request.host) || !loopback.test(new URL(config.publicUrl).host)) {
    return config.publicUrl;
  }
  return `http://${request.host}`;
}
