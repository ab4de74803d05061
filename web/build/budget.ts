// The cost of a visit in bytes (brotli 11; a KB is 1024), printed by every build, and its limits.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explain } from "./why.ts";

const KB = 1024;

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
  assets?: string[];
}
type Manifest = Record<string, Chunk>;

interface Line {
  what: string;
  files: readonly string[];
  /** The build fails above this. */
  limitKb: number;
  /** `--mode why` prints its parts. */
  isExplained?: true;
  /** Most requests, where their count is held too. */
  requests?: number;
}

/** What the document's small script starts at once (web/first.ts). */
const portal = "main.tsx";

/** A chunk with all that it imports at once, styles included. */
function closureOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  const imported = (chunk.imports ?? []).flatMap((name) => closureOf(manifest, name, seen));
  return [...new Set([chunk.file, ...(chunk.css ?? []), ...imported])];
}

function linesOf(folder: string, manifest: Manifest): Line[] {
  const login = readFileSync(join(folder, "login.html"), "utf8");
  const fonts = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".woff2"));
  const script = [...login.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(
    (found) => found[1] ?? "",
  );
  const started = ["index.html", portal].flatMap((key) => closureOf(manifest, key));
  const shell = ["index.html", ...new Set(started)];
  const screens = Object.entries(manifest).filter(([, chunk]) => chunk.isDynamicEntry);
  const lines: Line[] = [
    { what: "login, first paint", files: ["login.html"], limitKb: 4 },
    {
      what: "login, whole",
      files: ["login.html", ...script, ...fonts.map((name) => `assets/${name}`)],
      limitKb: 64,
      requests: 3,
    },
  ];
  for (const [key, chunk] of screens) {
    const own = closureOf(manifest, key).filter((file) => !shell.includes(file));
    const name = (chunk.src ?? key).replace(/^.*\/(?=[^/]+$)/, "").replace(/\.tsx?$/, "");
    if (key === portal) continue;
    if (name !== "dashboard-page") lines.push({ what: name, files: own, limitKb: 32 });
    // React, router and queries alone are 86 KB of it: see docs/decisions for what the rest is.
    else
      lines.push({
        what: "shell + dashboard",
        files: [...shell, ...own],
        limitKb: 128,
        isExplained: true,
      });
  }
  return lines;
}

function bytesOf(folder: string, file: string): number {
  const path = join(folder, file);
  try {
    return readFileSync(`${path}.br`).length;
  } catch {
    return readFileSync(path).length;
  }
}

/** The lines of a finished build with what each costs. */
export function weighed(folder: string): (Line & { bytes: number })[] {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
  return linesOf(folder, manifest).map((line) => ({
    ...line,
    bytes: line.files.reduce((sum, file) => sum + bytesOf(folder, file), 0),
  }));
}

/**
 * Prints the table of a finished build and throws when a line is above its limit. `why` tells what the
 * first screen is made of.
 */
export function weigh(folder: string, why: boolean): void {
  const over: string[] = [];
  for (const { bytes, ...line } of weighed(folder)) {
    const tooMany = line.requests !== undefined && line.files.length > line.requests;
    if (bytes > line.limitKb * KB || tooMany) over.push(line.what);
    process.stdout.write(
      `${line.what.padEnd(24)} ${(bytes / KB).toFixed(1).padStart(6)} KB of ${line.limitKb}` +
        `, ${line.files.length} requests\n`,
    );
    if (why && line.isExplained) explain(folder, line.what, line.files);
  }
  if (over.length > 0) throw new Error(`Over budget: ${over.join(", ")}`);
}
