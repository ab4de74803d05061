// Plays a service of map tiles on the loopback: streets that go on from tile to tile, until it is told to misbehave.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface PlayedTiles {
  /** The setting that shows them, `{z}`, `{x}` and `{y}` included. */
  template: string;
  origin: string;
  /** Every request so far. */
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /**
   * How the next requests are answered: `wrong` is a page where an image is expected, `held` no answer until
   * another mood is set.
   */
  mood: "good" | "held" | "broken" | "wrong";
  close(): Promise<void>;
}

export async function playTiles(): Promise<PlayedTiles> {
  const held = new Set<() => void>();
  let mood: PlayedTiles["mood"] = "good";
  const requests: PlayedTiles["requests"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers });
    const [, z, x, y] = /^\/streets\/(\d+)\/(\d+)\/(\d+)\.svg$/.exec(path) ?? [];
    const answer = () => {
      if (mood === "broken") response.writeHead(500).end();
      else if (mood === "wrong")
        response.writeHead(200, { "content-type": "text/html" }).end("<p>Maintenance</p>");
      else if (z === undefined) response.writeHead(404).end();
      else
        response
          .writeHead(200, { "content-type": "image/svg+xml" })
          .end(tile(Number(z), Number(x), Number(y)));
    };
    if (mood === "held") held.add(answer);
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    template: `${origin}/streets/{z}/{x}/{y}.svg`,
    requests,
    get mood() {
      return mood;
    },
    set mood(next) {
      mood = next;
      if (next === "held") return;
      for (const answer of held) answer();
      held.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Ground, a river, woods, a main road and streets, all told in px of the whole world at this level. */
function tile(z: number, x: number, y: number): string {
  const [left, top] = [x * 256, y * 256];
  // The same street lies twice as far at the next level.
  const scale = 2 ** (z - 14);
  const at = (unit: number) => unit * scale;
  const wave = (px: number) => top + 128 + Math.sin((px / at(400)) * Math.PI) * at(60);
  const streets = (from: number, gap: number) =>
    Array.from({ length: Math.ceil(256 / gap) + 2 }, (_, n) => (Math.floor(from / gap) + n) * gap);
  const gap = at(48) < 12 ? at(192) : at(48);
  const parts = [
    `<rect x="${left}" y="${top}" width="256" height="256" fill="#f2efe9"/>`,
    ...streets(left, at(512)).map(
      (px) =>
        `<ellipse cx="${px + at(90)}" cy="${Math.floor(top / at(512)) * at(512) + at(120)}" rx="${at(80)}" ry="${at(55)}" fill="#cfe3b8"/>`,
    ),
    ...streets(left, gap).map((px) => line(px, top - 8, px + at(20), top + 264, "#fff", at(5))),
    ...streets(top, gap).map((py) => line(left - 8, py, left + 264, py, "#fff", at(5))),
    ...streets(left, at(320)).map((px) => line(px, top - 8, px, top + 264, "#f7c977", at(9))),
    y % 3 === 0
      ? `<path d="M${left - 8} ${wave(left - 8)}${Array.from({ length: 18 }, (_, n) => `L${left + n * 16} ${wave(left + n * 16)}`).join("")}" fill="none" stroke="#a9d3de" stroke-width="${at(26)}"/>`
      : "",
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} 256 256" width="256" height="256">${parts.join("")}</svg>`;
}

const line = (x1: number, y1: number, x2: number, y2: number, color: string, width: number) =>
  `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${color}" stroke-width="${Math.max(width, 1)}"/>`;
