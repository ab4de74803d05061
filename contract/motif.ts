// The motif of a card: a guilloche drawn from its number, the same on the portal, on tickets and on
// PDF pages. Pure arithmetic, so that browser and server draw the same lines from the same number.

export const inks = ["lagoon", "reef", "dune", "dusk"] as const;
export type Ink = (typeof inks)[number];

export interface Motif {
  /** Width and height of the drawing, in tenths of a millimetre of an ID-1 card. */
  width: 856;
  height: 540;
  /** Closed and open curves as SVG path data, outermost first. */
  rosette: string[];
  ribbon: string[];
  /** Which of the four inks the card wears. */
  ink: Ink;
}

/** The colours of each ink, as the card wears them: the two ends of its ground, and the thread of its motif. */
export const inkColours = {
  lagoon: { from: "#0b3a47", to: "#0f6470", thread: "#8fe0d6" },
  reef: { from: "#083c3c", to: "#10705f", thread: "#b4ecc4" },
  dune: { from: "#0c2f45", to: "#1b5675", thread: "#f4d6a0" },
  dusk: { from: "#17284a", to: "#3b4f80", thread: "#ffc4b0" },
} as const satisfies Record<Ink, { from: string; to: string; thread: string }>;

/** Small deterministic generator (mulberry32): one seed, one sequence, on every machine. */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const whole = (value: number): string => Math.round(value).toString();

/** Joins points by quadratic curves through their midpoints: half the points for the same smoothness. */
function smooth(points: [number, number][], closed: boolean): string {
  const middle = (a: [number, number], b: [number, number]): [number, number] => [
    (a[0] + b[0]) / 2,
    (a[1] + b[1]) / 2,
  ];
  const at = (index: number) => points[index % points.length] as [number, number];
  const start = closed ? middle(at(points.length - 1), at(0)) : at(0);
  let path = `M${whole(start[0])} ${whole(start[1])}`;
  const last = closed ? points.length : points.length - 1;
  for (let index = closed ? 0 : 1; index < last; index++) {
    const control = at(index);
    const end = middle(control, at(index + 1));
    path += `Q${whole(control[0])} ${whole(control[1])} ${whole(end[0])} ${whole(end[1])}`;
  }
  return closed ? `${path}Z` : path;
}

/** One woven band: the same wave, `strands` times, each a little further along. */
function bandOf(radius: number, depth: number, petals: number, strands: number): string[] {
  const points = Math.min(150, petals * 9);
  return Array.from({ length: strands }, (_, strand) => {
    const shift = (strand / strands) * 2 * Math.PI;
    const ring: [number, number][] = Array.from({ length: points }, (__, step) => {
      const angle = (step / points) * 2 * Math.PI;
      const reach = radius * (1 - depth / 2 + (depth / 2) * Math.cos(petals * angle + shift));
      return [618 + reach * Math.cos(angle), 262 + reach * Math.sin(angle)];
    });
    return smooth(ring, true);
  });
}

function rosetteOf(random: () => number, detail: number): string[] {
  const petals = 6 + Math.floor(random() * 9);
  const depth = 0.34 + random() * 0.2;
  const inner = petals + (random() < 0.5 ? -2 : 3);
  const strands = Math.max(3, Math.round(detail * 0.62));
  const second = 272 * (1 - depth) * (0.94 + random() * 0.16);
  return [
    ...bandOf(272, depth, petals, strands),
    ...bandOf(second, 0.42 + random() * 0.2, inner, strands),
    ...bandOf(second * 0.46, 0.7, Math.max(4, petals - 4), Math.max(2, strands - 2)),
  ];
}

function ribbonOf(random: () => number, lines: number): string[] {
  const first = 1.2 + random() * 1.6;
  const second = 2.6 + random() * 2.4;
  const phase = random() * Math.PI * 2;
  const base = 330 + random() * 90;
  return Array.from({ length: lines }, (_, line) => {
    const share = line / (lines - 1) - 0.5;
    const points: [number, number][] = Array.from({ length: 21 }, (__, step) => {
      const x = (step / 20) * 896 - 20;
      const angle = (x / 856) * Math.PI;
      const spread = 90 * Math.sin(angle * first + phase) + 34 * Math.sin(angle * second);
      return [x, base + 46 * Math.sin(angle * second * 0.6 + phase) + share * spread * 1.7];
    });
    return smooth(points, false);
  });
}

/**
 * The motif of a card number (or of any whole number, for pictures).
 * `detail` is the count of curves of each family; 9 suits a full card, 4 a thumbnail.
 */
export function motifOf(cardnumber: number, detail = 9): Motif {
  const random = sequence(Math.imul(cardnumber % 4_294_967_291, 2_654_435_761));
  for (let index = 0; index < 4; index++) random();
  const ink = inks[Math.floor(random() * inks.length)] ?? "lagoon";
  return {
    width: 856,
    height: 540,
    ink,
    rosette: rosetteOf(random, detail),
    ribbon: ribbonOf(random, detail + 3),
  };
}
