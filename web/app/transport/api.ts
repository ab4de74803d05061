// The one way from a screen to the server: `call(row, input)`, typed by the contract (spec §7).
import { pathParameters, type Input, type Output, type Row } from "#contract/endpoint.ts";
import type { ProblemBody, ProblemCode, ProblemDetails } from "#contract/errors.ts";
import { spec } from "#contract/limits.ts";
import { texts } from "#contract/texts.ts";
import { beginAction } from "./recent-actions.ts";
import { noteChanges } from "./changes.ts";
import { beginCall } from "./progress.ts";
import { endSession, markReset } from "./session.ts";
import { readToken } from "./token.ts";

/** A document of the API: a PDF, a CSV. */
export interface Download {
  blob: Blob;
  filename: string;
}

/** The answer of a row in the browser. */
export type Answer<R extends Row> = R extends {
  reply: "pdf" | "csv" | "html" | "calendar" | "file";
}
  ? Download
  : Output<R>;

export interface CallOptions {
  /** Sent as Idempotency-Key (spec.md 15). */
  key?: string;
  signal?: AbortSignal;
  /** The body of a row that takes a file. */
  file?: Blob;
  /** True for what works in the background: it does not drive the progress bar. */
  quiet?: boolean;
  /** True for a call that only prepares an action, as a choice that is not paid: nobody is notified of it. */
  draft?: boolean;
  /** True where the screen already shows what the call does, as a counter that keeps its list itself: nothing is read again. */
  isShown?: boolean;
}

/** A refusal of the server, or `no_answer` and `token_not_found`, which never reached it. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | "no_answer" | "token_not_found";
  /** HTTP status, 0 without an answer. */
  readonly status: number;
  readonly details: ProblemDetails;
  readonly requestId: string | null;
  /** Whether the call may have acted all the same: it was to change something, and nobody said that it did not. */
  isUnknown = false;

  constructor(
    code: ApiProblem["code"],
    message: string,
    more: { status?: number; details?: ProblemDetails; requestId?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "ApiProblem";
    this.code = code;
    this.status = more.status ?? 0;
    this.details = more.details ?? {};
    this.requestId = more.requestId ?? null;
  }

  /** Whether the server has decided: without an answer, or with a 5xx, the effect is unknown. */
  get definite(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }
}

/**
 * Calls a row of the contract. Path parameters are taken from the input; the rest is the query of a
 * GET, else the JSON body. Answers the row's output, or a document. Throws ApiProblem, whose message
 * is the server's French sentence or the specification's (spec §8), or the signal's AbortError.
 */
export async function call<R extends Row>(
  row: R,
  input: Input<R>,
  options: CallOptions = {},
): Promise<Answer<R>> {
  const target = addressOf(row, input as Record<string, unknown>, options.file !== undefined);
  const isAct = row.method !== "GET" && !(options.draft ?? options.quiet);
  const [endProgress, abortSignal] = options.quiet
    ? []
    : beginCall(isAct, row.timeoutMs !== undefined);
  const endAction = isAct ? beginAction() : null;
  let done = false;
  try {
    const response = await send(row, target, {
      ...options,
      signal: anyOf(options.signal, abortSignal),
    });
    done = true;
    const answer = (await answerOf(row, response)) as Answer<R>;
    // Nothing is left to wait for: what the act itself does next comes before the screens are read again.
    if (row.changes && !options.isShown) noteChanges(row.changes);
    return answer;
  } catch (error) {
    options.signal?.throwIfAborted();
    const problem =
      error instanceof ApiProblem
        ? error
        : new ApiProblem("no_answer", texts.requestFailed, { cause: error });
    problem.isUnknown = isAct && (problem.code === "no_answer" || problem.status >= 500);
    // What it was to change is no longer as the screen shows it.
    if (row.changes && outdated.has(problem.status)) noteChanges(row.changes);
    await handleProblem(row, problem);
    throw problem;
  } finally {
    endProgress?.();
    endAction?.(done);
  }
}

/** Statuses of refusals for what has become of the thing meanwhile, or of the rules that it is held to. */
const outdated: ReadonlySet<number> = new Set([404, 409, 410, 422]);

/** The signal that aborts as soon as one of those given does. */
const anyOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

/**
 * Sends with up to three retries on 429, each waiting one second more, whatever Retry-After says
 * (spec §7, §9). A longer wait is told by the refusal that is left after them.
 */
async function send(row: Row, target: Target, options: CallOptions): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const ahead = takePrefetched(row, target);
    const response = await (ahead
      ? orAborted(ahead, options.signal)
      : attemptOnce(row, target, options));
    if (isAnswer(row, response)) return response;
    const again = response.status === spec.retryStatus && attempt <= spec.retryCount;
    if (!again) throw await problemOf(response);
    await response.body?.cancel();
    await pause(spec.retryDelayMs * attempt, options.signal);
  }
}

/** Whether it is the answer that the row promises: a login with anything but 200 has failed (spec §5). */
export const isAnswer = ({ status = 200 }: Row, response: Response): boolean =>
  response.status === status;

/** Prefetched answers by method, address and body. */
const prefetched = new Map<string, Promise<Response>>();
/** A prefetched answer is not used when it is older than this. */
const prefetchedForMs = 5000;

/** Sends a read before any screen needs it: the first call of the same row and input is given the answer. */
export function prefetch<R extends Row>(row: R, input: Input<R>): void {
  const target = addressOf(row, input as Record<string, unknown>);
  const answer = attemptOnce(row, target, {});
  const name = nameOf(row, target);
  const forget = () => setTimeout(() => prefetched.delete(name), prefetchedForMs);
  prefetched.set(name, answer);
  answer.then(forget, forget);
}

/** The prefetched answer, given once. Any other call that may change something discards all of them. */
function takePrefetched(row: Row, target: Target): Promise<Response> | undefined {
  const name = nameOf(row, target);
  const answer = prefetched.get(name);
  if (answer) prefetched.delete(name);
  else if (row.method !== "GET") prefetched.clear();
  return answer;
}

const nameOf = ({ method }: Row, { address, rest }: Target): string =>
  method + address + JSON.stringify(rest);

async function attemptOnce(
  row: Row,
  { address, rest }: Target,
  { key, signal, file }: CallOptions,
): Promise<Response> {
  const headers = bearerOf(row);
  if (row.method !== "GET") headers.set("content-type", file?.type ?? "application/json");
  if (key) headers.set("idempotency-key", key);
  const timeout = AbortSignal.timeout(row.timeoutMs ?? spec.requestTimeoutMs);
  return fetch(address, {
    method: row.method,
    headers,
    cache: "no-store",
    signal: anyOf(signal, timeout),
    ...(row.method !== "GET" && { body: file ?? JSON.stringify(rest) }),
  });
}

/** The headers that name the session. A row that needs one is not sent without it (spec §8). */
export function bearerOf(row: Row): Headers {
  const token = readToken();
  if (token !== null) return new Headers({ authorization: `Bearer ${token}` });
  if (row.access === "public") return new Headers();
  throw new ApiProblem("token_not_found", texts.tokenNotFound);
}

interface Target {
  address: string;
  rest: Record<string, unknown>;
}

/**
 * The address of a row with its parameters filled, and what is left of the input for the body; where
 * the body is a file, that too stands in the query.
 */
export function addressOf(row: Row, input: Record<string, unknown>, isFile = false): Target {
  const names = pathParameters(row.path);
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !names.includes(name) && value !== undefined),
  );
  const path = names.reduce(
    (filled, name) => filled.replace(`:${name}`, encodeURIComponent(String(input[name]))),
    row.path as string,
  );
  if (row.method !== "GET" && !isFile) return { address: path, rest };
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name, String(value)]),
  ).toString();
  return { address: query ? `${path}?${query}` : path, rest };
}

async function answerOf(row: Row, response: Response): Promise<unknown> {
  if (row.reply === undefined || row.reply === "json") return response.json();
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  return { blob: await response.blob(), filename: named?.[1] ?? "document" } satisfies Download;
}

/** The refusal that an answer says. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => null)) as Partial<ProblemBody> | null;
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  return new ApiProblem(body?.code ?? "internal", body?.message || texts.requestFailed, {
    status: response.status,
    details: { ...(seconds > 0 && { seconds }), ...body?.details },
    ...(body?.requestId && { requestId: body.requestId }),
  });
}

/** Applies a refusal to the whole portal: the session is over, or a reset is due. */
export async function handleProblem(row: Row, problem: ApiProblem): Promise<void> {
  if (row.access === "public") return;
  const { code } = problem;
  if (code === "token_not_found") endSession("missing");
  if (code === "session_opposed") endSession("opposed");
  if (code === "session_ended" || code === "unauthenticated") endSession("ended");
  if (code === "reset_required") await markReset();
}

/** What the promise gives, unless the signal comes first. */
const orAborted = <T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  orAborted(new Promise((resolve) => setTimeout(resolve, ms)), signal);
