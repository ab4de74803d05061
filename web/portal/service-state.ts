// The state of the service. The one answer read beside `call`: a troubled service answers 503, so that
// proxies turn away from it, and its body still says what is wrong.
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { texts } from "#contract/texts.ts";
import { ApiProblem } from "#web/app/transport/api.ts";

export type Health = Output<typeof api.portal.health>;

const timeoutMs = 10_000;

/** Throws ApiProblem when the service does not answer, or not as itself (a proxy's own error). */
export async function readHealth(
  signal: AbortSignal = new AbortController().signal,
): Promise<Health> {
  const { path, method } = api.portal.health;
  try {
    const answer = await fetch(path, {
      method,
      cache: "no-store",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const body = (await answer.json()) as Partial<Health>;
    if (body.status !== undefined && body.time !== undefined) return body as Health;
  } catch (cause) {
    signal.throwIfAborted();
    throw new ApiProblem("no_answer", texts.requestFailed, { cause });
  }
  throw new ApiProblem("unavailable", texts.requestFailed);
}
