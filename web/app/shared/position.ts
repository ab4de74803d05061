// Where the person is, asked of the browser on a click only. It is rounded to about 100 m, kept for the
// screen alone, and written in no address.
import { useRef, useState } from "react";

export interface Position {
  lat: number;
  lon: number;
}

export type PositionState =
  | { kind: "unasked" }
  | { kind: "asking" }
  | { kind: "here"; position: Position }
  | { kind: "refused"; why: string };

const decimals = 3;
const timeoutMs = 12_000;
/** A position of a few minutes ago serves as well. */
const goodForMs = 300_000;

const denied = "Votre navigateur ne donne pas votre position à ce site.";
const unknown = "Votre position n’a pas pu être trouvée.";

const rounded = (degrees: number) => Number(degrees.toFixed(decimals));

export function usePosition() {
  const [where, setWhere] = useState<PositionState>({ kind: "unasked" });
  // An answer that comes after the person went on counts no more.
  const latestRequest = useRef(0);
  const forget = () => {
    latestRequest.current++;
    setWhere({ kind: "unasked" });
  };
  const ask = () => {
    const mine = ++latestRequest.current;
    const answer = (next: PositionState) => {
      if (mine === latestRequest.current) setWhere(next);
    };
    if (!("geolocation" in navigator)) return answer({ kind: "refused", why: unknown });
    answer({ kind: "asking" });
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        answer({
          kind: "here",
          position: { lat: rounded(coords.latitude), lon: rounded(coords.longitude) },
        }),
      ({ code, PERMISSION_DENIED }) =>
        answer({ kind: "refused", why: code === PERMISSION_DENIED ? denied : unknown }),
      { maximumAge: goodForMs, timeout: timeoutMs },
    );
  };
  return { where, ask, forget };
}
