// The law of the house, held by reading the code: who may import whom, how things are called.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { problems } from "#contract/errors.ts";
import { everyRoute, roomOrder } from "#server/rooms.ts";

const root = join(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /^(contract|server|web|tests|scripts|bench)\//.test(file));
const code = files.filter((file) => /\.(ts|tsx)$/.test(file));
const own = code.filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith("tests/"));
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Import {
  from: string;
  to: string;
}

/** Imports of a file: paths of the project, or the names of packages. */
function importsOf(file: string): Import[] {
  const found = read(file).matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import\s+"([^"]+)"/g,
  );
  return [...found].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    if (name.startsWith("#")) return { from: file, to: name.slice(1) };
    if (name.startsWith(".")) return { from: file, to: normalize(join(dirname(file), name)) };
    return { from: file, to: `package:${name}` };
  });
}

const everyImport = own.flatMap(importsOf);
const broken = (law: (one: Import) => boolean) =>
  everyImport.filter(law).map(({ from, to }) => `${from} → ${to}`);

/** The room of a server file, null for what is beneath the rooms (http, db, config…). */
const roomOf = (path: string) => {
  const room = /^server\/([^/]+)\//.exec(path)?.[1];
  return room && (roomOrder as readonly string[]).includes(room) ? room : null;
};
const rank = (room: string) => (roomOrder as readonly string[]).indexOf(room);
/** Files beneath or above the rooms that may know them all. */
const composing = /^server\/(app|rooms|main|run|jobs|operator|operator-[\w-]+)\.ts$/;

describe("law of imports", () => {
  test("the contract imports zod and itself only", () => {
    const law = ({ from, to }: Import) =>
      from.startsWith("contract/") && !/^(contract\/|package:zod)/.test(to);
    expect(broken(law)).toEqual([]);
  });

  test("server and web never import each other", () => {
    const law = ({ from, to }: Import) =>
      (from.startsWith("server/") && to.startsWith("web/")) ||
      (from.startsWith("web/") && to.startsWith("server/"));
    expect(broken(law)).toEqual([]);
  });

  test("nothing that runs imports the tests", () => {
    const law = ({ from, to }: Import) =>
      /^(contract|server|web)\//.test(from) && to.startsWith("tests/");
    expect(broken(law)).toEqual([]);
  });

  test("a room imports earlier rooms only, and only the file that bears the room's name", () => {
    const law = ({ from, to }: Import) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      if (!there || here === there || composing.test(from)) return false;
      if (to.endsWith("/routes.ts") && from === "server/rooms.ts") return false;
      if (here && rank(there) > rank(here)) return true;
      if (!here && from.startsWith("server/")) return true;
      return to !== `server/${there}/${there}.ts`;
    };
    expect(broken(law)).toEqual([]);
  });

  test("web rooms import app/ and ui/, never each other; ui/ knows no room", () => {
    const composers = new Set(["dashboard", "family", "app", "ui"]);
    const roomOfWeb = (path: string) => /^web\/([^/]+)\//.exec(path)?.[1] ?? null;
    const law = ({ from, to }: Import) => {
      const [here, there] = [roomOfWeb(from), roomOfWeb(to)];
      if (!here || !there || here === there) return false;
      if (here === "ui") return true;
      if (here === "app") return there !== "ui";
      if (here === "dashboard" || here === "family") return false;
      return there !== "app" && there !== "ui" && !composers.has(here);
    };
    expect(broken(law)).toEqual([]);
  });
});

describe("names", () => {
  test("no file hides behind an empty name", () => {
    const empty = /(^|\/)(utils?|helpers?|misc|common|manager|data)(\.|\/)/;
    expect(files.filter((file) => empty.test(file))).toEqual([]);
  });

  test("files stay readable: at most 350 lines", () => {
    const long = own
      .map((file) => ({ file, lines: read(file).split("\n").length }))
      .filter(({ lines }) => lines > 350);
    expect(long).toEqual([]);
  });

  test("the specification's odd spellings live in the route table and the contract only", () => {
    const odd = /servivces|Purchache|pretataire|cantine_futures|AbonnementbusCpp/;
    const homes = /^(web\/routes\.tsx|web\/paths\.ts|contract\/|tests\/)/;
    const leaks = code.filter((file) => !homes.test(file) && odd.test(read(file)));
    expect(leaks).toEqual([]);
  });

  test("migrations are numbered without a gap", () => {
    const numbers = files
      .filter((file) => file.startsWith("server/db/migrations/"))
      .map((file) => Number(/(\d{4})-/.exec(file)?.[1]))
      .sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe("contract", () => {
  test("every row has its handler and every handler its row", () => {
    expect(everyRoute.map(({ name }) => name).sort()).toEqual(
      everyRow()
        .map(({ name }) => name)
        .sort(),
    );
  });

  test("no method and path twice", () => {
    const lines = everyRow().map(({ row }) => `${row.method} ${row.path.replace(/:\w+/g, ":")}`);
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  });

  test("every refusal is raised somewhere, and says what happened in a whole French sentence", () => {
    const text = [...own, ...files.filter((file) => file.endsWith(".sql"))]
      .filter((file) => file.startsWith("server/"))
      .map(read)
      .join("\n");
    const codes = Object.keys(problems);
    expect(codes.filter((name) => !text.includes(name))).toEqual([]);
    const specified = new Set(["internal"]);
    const loose = codes.filter(
      (name) =>
        !specified.has(name) && !/^[A-ZÀÉÊ].*\.$/s.test(problems[name as "internal"].message),
    );
    expect(loose).toEqual([]);
  });
});

describe("package", () => {
  test("dependencies are pinned exactly, the lockfile names no host", () => {
    const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
    const pins = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((group) =>
      Object.entries(manifest[group] ?? {}),
    );
    expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(read("package-lock.json")).not.toMatch(/"resolved": "https?:/);
  });
});
