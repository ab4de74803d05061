// The drawing of an event: what it is, in a few strokes; its colours follow its kind.
import type { EventKind } from "#contract/tickets/states.ts";
import styles from "./tickets.module.css";

/** Strokes on a field of 160 by 90. */
const strokes: Readonly<Record<EventKind, readonly string[]>> = {
  concert: [
    "M62 62V26l40-8v36",
    "M62 62a9 7 0 1 1-18 0 9 7 0 0 1 18 0M102 54a9 7 0 1 1-18 0 9 7 0 0 1 18 0M62 36l40-8",
  ],
  theatre: [
    "M40 18h80M46 18c0 24-2 42-10 56M114 18c0 24 2 42 10 56",
    "M60 38c12 5 28 5 40 0 0 20-6 34-20 34S60 58 60 38M70 48h6M84 48h6M72 60c5 4 11 4 16 0",
  ],
  cinema: [
    "M44 30h72v44H44zM44 42h72M44 30l8-12h72l-8 12M64 18l-8 12M84 18l-8 12M104 18l-8 12",
    "M74 50v16l14-8z",
  ],
  museum: ["M42 36 80 16l38 20zM42 74h76M48 68h64", "M54 40v24M71 40v24M89 40v24M106 40v24"],
  sport: [
    "M80 16a30 30 0 1 1 0 60 30 30 0 0 1 0-60",
    "m80 30 14 10-5 16H71l-5-16zM80 30V16M94 40l14-6M89 56l9 13M71 56l-9 13M66 40l-14-6",
  ],
  pool: [
    "M28 52c9-8 17-8 26 0s17 8 26 0 17-8 26 0 17 8 26 0M28 68c9-8 17-8 26 0s17 8 26 0 17-8 26 0 17 8 26 0",
    "M64 44V24a8 8 0 0 1 16 0M96 44V24a8 8 0 0 1 16 0M64 34h32",
  ],
  workshop: [
    "M50 72 92 26l14 12-42 46zM92 26l8-9 14 12-8 9",
    "M40 40c10-14 22-18 30-12M112 60c6 8 4 16-6 18",
  ],
  festival: [
    "M30 74 80 20l50 54M80 20V10l12 4-12 4M58 74l22-40 22 40",
    "M36 30h.01M124 30h.01M48 16h.01M112 18h.01",
  ],
};

export function EventPicture({ kind }: { kind: EventKind }) {
  return (
    <svg className={styles.eventPicture} data-kind={kind} viewBox="0 0 160 90" aria-hidden="true">
      <g className={styles.eventWaves}>
        {[0, 1, 2, 3, 4, 5].map((wave) => (
          <path
            key={wave}
            d={`M-10 ${58 + wave * 7}C30 ${38 + wave * 9} 60 ${82 + wave * 3} 100 ${58 + wave * 7}S150 ${44 + wave * 8} 175 ${60 + wave * 6}`}
          />
        ))}
      </g>
      <g className={styles.eventStrokes}>
        {strokes[kind].map((stroke) => (
          <path key={stroke} d={stroke} />
        ))}
      </g>
    </svg>
  );
}
