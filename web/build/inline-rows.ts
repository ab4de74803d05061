// `api` is the table of contents of every row of the portal, and the shell would carry them all for
// the screens that come later. So the build reads `api.family.list` as the row of the one contract file
// that holds it: a room's rows travel with the screens that call them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const contract = join(import.meta.dirname, "..", "..", "contract");
const contents = join(contract, "api.ts");
const library = /import \{ api \} from ["'](?:#contract\/api\.ts|[^"']*\/contract\/api\.ts)["'];?/;
/** The name itself, not a path that holds the word. */
const bare = /(?<![/\w.])api(?![\w/])/;

interface Home {
  file: string;
  /** What the file exports the row in. */
  name: string;
}
/** Where each row is, by `room.row`. */
type Homes = ReadonlyMap<string, Home>;

async function homesOf(): Promise<Homes> {
  const load = (file: string) =>
    import(pathToFileURL(file).href) as Promise<Record<string, Record<string, unknown>>>;
  const { api = {} } = await load(contents);
  const found = new Map<unknown, Home>();
  const files = [...readFileSync(contents, "utf8").matchAll(/from "\.\/([\w-/]+\.ts)"/g)];
  for (const [, named = ""] of files) {
    const file = join(contract, named);
    for (const [name, rows] of Object.entries(await load(file))) {
      if (typeof rows !== "object" || rows === null) continue;
      for (const row of Object.values(rows)) {
        if (typeof row === "object" && row !== null) found.set(row, { file, name });
      }
    }
  }
  const homes = new Map<string, Home>();
  for (const [room, rows] of Object.entries(api)) {
    for (const [name, row] of Object.entries(rows as Record<string, unknown>)) {
      const home = found.get(row);
      if (!home) throw new Error(`No file of the contract exports ${room}.${name}.`);
      homes.set(`${room}.${name}`, home);
    }
  }
  return homes;
}

/** The files of a room's rows, each once. */
function homesOfRoom(homes: Homes, room: string): Home[] {
  const all = [...homes].filter(([row]) => row.startsWith(`${room}.`)).map(([, home]) => home);
  return [...new Map(all.map((home) => [`${home.file} ${home.name}`, home])).values()];
}

/** The code of a file of the web with each row taken from its own contract file. */
function apart(code: string, homes: Homes): string {
  const used = new Map<string, Home>();
  const local = ({ file, name }: Home) => {
    const called = `rows_${name}`;
    used.set(called, { file, name });
    return called;
  };
  const single = code.replaceAll(/\bapi\.([A-Za-z]\w*)\.([A-Za-z]\w*)/g, (whole, room, row) => {
    const home = homes.get(`${String(room)}.${String(row)}`);
    return home ? `${local(home)}.${String(row)}` : whole;
  });
  // A whole room: `Object.values(api.wallet)`.
  const output = single.replaceAll(/\bapi\.([A-Za-z]\w*)/g, (whole, room) => {
    const parts = homesOfRoom(homes, String(room)).map((home) => `...${local(home)}`);
    return parts.length > 0 ? `({${parts.join(",")}})` : whole;
  });
  const imports = [...used].map(
    ([called, { file, name }]) => `import { ${name} as ${called} } from ${JSON.stringify(file)};`,
  );
  // What names a whole room still needs the table of contents.
  if (bare.test(output.replace(library, ""))) return `${imports.join("\n")}\n${output}`;
  return output.replace(library, () => imports.join("\n"));
}

export function inlineApiRows(): Plugin {
  let homes: Homes = new Map();
  return {
    name: "ma-carte-inline-rows",
    apply: "build",
    async buildStart() {
      homes = await homesOf();
    },
    transform: {
      // After the types are gone.
      order: "post",
      filter: { id: /\/web\/.*\.tsx?$/, code: /\bapi\./ },
      handler: (code) => (library.test(code) ? { code: apart(code, homes), map: null } : null),
    },
  };
}
