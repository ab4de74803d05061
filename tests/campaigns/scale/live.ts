// A reader of the portal's live events, as the screens read them: by fetch with the bearer.

export interface Live {
  /** The next event of that name whose data the condition keeps, with when it came. */
  next(event: string, keep: (data: string) => boolean): Promise<{ data: string; at: number }>;
  close(): void;
}

interface Heard {
  event: string;
  data: string;
  at: number;
}

const withinMs = 60_000;

/** Opens a stream; it is open when this answers. */
export async function openLive(url: string, headers: Record<string, string>): Promise<Live> {
  const ends = new AbortController();
  const answer = await fetch(url, { headers, signal: ends.signal });
  if (answer.status !== 200 || !answer.body) throw new Error(`no stream: ${answer.status}`);
  const heard: Heard[] = [];
  let notify = () => {};
  void read(answer.body, (one) => {
    heard.push(one);
    notify();
  });
  return {
    async next(event, keep) {
      const late = AbortSignal.timeout(withinMs);
      for (;;) {
        const found = heard.find((one) => one.event === event && keep(one.data));
        if (found) return found;
        if (late.aborted) throw new Error(`no ${event} was told`);
        await new Promise<void>((resolve) => {
          notify = resolve;
          late.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    },
    close: () => ends.abort(),
  };
}

async function read(body: ReadableStream<Uint8Array>, tell: (one: Heard) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
        tell({ event: field("event"), data: field("data"), at: performance.now() });
      }
    }
  } catch {
    // Closed by us, or its server died: nothing more is heard.
  }
}
