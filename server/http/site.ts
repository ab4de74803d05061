// The address at which a browser sees the portal.
import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "#contract/errors.ts";
import { localPath } from "#contract/local-path.ts";
import { type Config, isLoopbackName } from "#server/process/config.ts";
import type { Deps } from "#server/process/deps.ts";

/** The name in a Host header, without its port; "" when there is none that can be parsed. */
const nameIn = memoizeLast((host: string | undefined): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "",
);

const isLoopbackAddress = memoizeLast((url: string) => isLoopbackName(new URL(url).hostname));
const isLoopbackSite = (config: Config): boolean => isLoopbackAddress(config.publicUrl);

/** Remembers the last result: nearly every call has the same name. */
function memoizeLast<Input, Result>(work: (input: Input) => Result): (input: Input) => Result {
  let last: { input: Input; result: Result } | undefined;
  return (input) => {
    if (last?.input !== input) last = { input, result: work(input) };
    return last.result;
  };
}

/**
 * On one's own machine the portal answers to names of this machine and to plain IP addresses only: a site
 * that points its own name at 127.0.0.1 could otherwise read it through the browser (DNS rebinding). A portal
 * with a public address has its own name, which its proxy checks.
 */
export function requireKnownHost(app: FastifyInstance, config: Config): void {
  const isOurs = memoizeLast((host: string): boolean => {
    const name = nameIn(host);
    const isAddress = isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
    return isAddress || isLoopbackName(name) || name === config.host.toLowerCase();
  });
  app.addHook("onRequest", ({ headers: { host } }, _reply, done) => {
    const isKnown = host === undefined || !isLoopbackSite(config) || isOurs(host);
    done(isKnown ? undefined : new Problem("unknown_host"));
  });
}

/**
 * Whether the caller is a program of this machine. A call through a proxy is not, even without a header that
 * says so: a portal with a public address has no such caller, only METRICS_TOKEN.
 */
export function isLoopback(config: Config, request: FastifyRequest): boolean {
  const { headers, socket } = request;
  const passedOn = ["x-forwarded-for", "forwarded", "via"].some((name) => name in headers);
  const from = socket.remoteAddress ?? "";
  const isNear = from === "::1" || /^(::ffff:)?127\./.test(from);
  return isNear && !passedOn && isLoopbackSite(config) && isLoopbackName(nameIn(headers.host));
}

/**
 * The portal's origin as this browser sees it, without a final slash: the configured one. On one's own
 * machine it is the name it was opened by: returning under another one (localhost, 127.0.0.1) would lose the
 * session's cookies.
 */
export function siteOrigin({ config }: Pick<Deps, "config">, { headers }: FastifyRequest): string {
  if (!isLoopbackSite(config) || !isLoopbackName(nameIn(headers.host))) return config.publicUrl;
  return `http://${headers.host}`;
}

/** `path` as it resolves on this site. One that leads elsewhere is our error: it is not followed. */
export function requireLocalPath(path: string): string {
  const resolved = localPath(path);
  if (resolved === null) throw new Error("an address of ours leads to another site");
  return resolved;
}
