// Which tests a change can reach, for `npm test -- --changed` (scripts/changed.ts).
import { basename } from "node:path/posix";
import { type Importers, type Sources, importersIn, reaching } from "./import-graph.ts";
import { type ProjectName, projectFiles, projectOf } from "./test-projects.ts";

export interface Project {
  sources: Sources;
  /** The file of the screen of each address (web/routes.ts). */
  screens: ReadonlyMap<string, string>;
}

export interface Choice {
  /** Groups of tests with their reason; each test is in the first group that applies. */
  groups: { reason: string; tests: string[] }[];
  /** Rooms of `web/` with a screen that the change reaches, where no test of `accessibility` runs. */
  unvisited: string[];
}

/** Tests that read the code and the documents as text. */
const always = [
  "tests/house-rules.test.ts",
  "tests/style-rules.test.ts",
  "tests/sources.test.ts",
  "tests/activity.test.ts",
  "tests/names.test.ts",
  "tests/journey-reads.test.ts",
  "tests/regular-expressions.test.ts",
];
/** Tests that cover each row and each refusal of the contract. */
const ofContract = ["tests/access.test.ts", "tests/literals.test.ts"];
const ofMigrations = [
  "server/db/migrate.test.ts",
  "server/db/migration-compatibility.test.ts",
  "server/db/runtime-role.test.ts",
];

const everything = Object.keys(projectFiles) as ProjectName[];
const inBrowser: readonly ProjectName[] = ["journeys", "accessibility"];
/** Files that projects start from without importing them. */
const startedFrom: Readonly<Record<string, readonly ProjectName[]>> = {
  "package-lock.json": everything,
  "vitest.config.ts": everything,
  "tests/global-setup.ts": everything,
  "tests/browser-setup.ts": inBrowser,
  "tests/midnight-setup.ts": everything,
  "vite.config.ts": inBrowser,
  "web/index.html": inBrowser,
  "web/login.html": inBrowser,
  "web/main.tsx": inBrowser,
  "web/first.ts": inBrowser,
  "web/sw.ts": inBrowser,
  "server/process/main.mjs": ["campaigns"],
};

/**
 * Files that put all rooms together. An importer of one does not depend on each room for that: otherwise any
 * change would reach any test, for each opens a server (tests/test-server.ts imports server/rooms.ts). The
 * template of the databases is made in every run, whichever tests it has.
 */
const composing =
  /^(?:server\/(?:rooms\.ts|operator\/|demo\/)|contract\/(?:api|errors)\.ts|tests\/(?:template\.ts|campaigns\/audit\/))/;
/** Every journey visits these addresses. */
const passedByAll = new Set(["/login", "/dashboard"]);

/** Chooses the tests for changed files, which may be deleted. Paths are relative to the root. */
export function chooseTests(changedFiles: readonly string[], project: Project): Choice {
  // Documents run no code, a room's README included: the tests that read them run always.
  const changed = changedFiles.filter((file) => !file.endsWith(".md"));
  const { sources, screens } = project;
  const text = (file: string) => sources.get(file) ?? "";
  const importers = importersIn(sources);
  const testFiles = [...sources.keys()].filter((file) => projectOf(file) !== undefined);
  const testsOf = (name: ProjectName) => testFiles.filter((file) => projectOf(file) === name);
  const testsIn = (side: RegExp, rooms: ReadonlySet<string>) =>
    testFiles.filter((file) => side.test(file) && rooms.has(roomOf(file) ?? ""));
  const { groups, add } = grouped(sources);

  const reached = new Set<string>();
  for (const file of changed) {
    for (const one of reaching(importers, file, cutFor(file, screens))) {
      reached.add(one);
      for (const name of startedFrom[one] ?? [])
        add(`everything in ${name}: ${file} lies beneath it`, testsOf(name));
    }
  }
  add(
    "read the code as text",
    always.filter((file) => sources.has(file)),
  );
  add(
    "import what changed",
    testFiles.filter((file) => reached.has(file)),
  );
  const code = changed.filter((file) => projectOf(file) === undefined);
  const rooms = new Set(code.flatMap((file) => roomOf(file) ?? []));
  add(`rooms ${list(rooms)}`, testsIn(/^/, rooms));
  const importing = serverRooms(reached, sources);
  add(`import it: rooms ${list(importing)}`, testsIn(/^server\//, importing));
  if (changed.some((file) => isOfContract(file, importers)))
    add("hold each row of the contract", ofContract);
  const migrations = changed.filter((file) => file.startsWith("server/db/migrations/"));
  if (migrations.length > 0) {
    const changedNames = migrations.flatMap((file) => namesChangedBy(text(file)));
    const using = [...sources.keys()].filter((file) => mentions(text(file), changedNames));
    add("migrate", ofMigrations);
    add(
      `have ${list(changedNames)} in their SQL`,
      testsIn(/^server\//, serverRooms(new Set(using), sources)),
    );
  }

  // A screen of the room, or one that composes a part of it, shows what its server answers.
  const served = new Set(
    code.flatMap((file) => (file.startsWith("server/") ? (roomOf(file) ?? []) : [])),
  );
  const shows = (file: string) =>
    served.has(roomOf(file) ?? "") ||
    [...served].some((room) => importsRoom(file, room, importers, "web"));
  const routes = [...screens].filter(([, file]) => reached.has(file) || shows(file));
  const paths = new Set(routes.map(([path]) => path).filter((path) => !passedByAll.has(path)));
  const ofScreens = new Set(routes.flatMap(([, file]) => roomOf(file) ?? []));
  const journeyRooms = [...new Set([...rooms, ...ofScreens])];
  add(
    `journeys of ${list(journeyRooms)}`,
    testsOf("journeys").filter(
      (file) =>
        journeyRooms.some((room) => isNamedAfter(file, room)) ||
        [...rooms].some((room) => importsRoom(file, room, importers)) ||
        visitedPaths(text(file), screens).some((path) => paths.has(path)),
    ),
  );
  const chosen = new Set([...groups.values()].flat());
  const unvisited = new Set(
    routes.flatMap(([, file]) => (reached.has(file) ? (roomOf(file) ?? []) : [])),
  );
  const visited = testsOf("accessibility").some((file) => chosen.has(file));
  return {
    groups: [...groups].map(([reason, tests]) => ({ reason, tests })),
    unvisited: visited ? [] : [...unvisited],
  };
}

/** Tests grouped by reason, each in its first group. */
function grouped(sources: Sources) {
  const groups = new Map<string, string[]>();
  const known = new Set<string>();
  const add = (reason: string, tests: readonly string[]) => {
    const fresh = tests.filter((file) => sources.has(file) && !known.has(file));
    for (const file of fresh) known.add(file);
    if (fresh.length > 0) groups.set(reason, [...(groups.get(reason) ?? []), ...fresh]);
  };
  return { groups, add };
}

/** Which imports the search does not follow for a change of `file`. */
function cutFor(file: string, screens: ReadonlyMap<string, string>) {
  const own = composing.exec(file)?.[0];
  const screenFiles = new Set(screens.values());
  return (importer: string, imported: string) => {
    // A screen is opened by its address, so these imports do not count.
    if (screenFiles.has(imported) && /^web\/(?:first|main|routes)\.tsx?$/.test(importer))
      return true;
    const composer = composing.exec(importer)?.[0];
    return composer !== undefined && composer !== own;
  };
}

/**
 * The room of a file of the contract, the server or the web part; for shared code below the rooms, its
 * folder.
 */
const roomOf = (file: string): string | undefined =>
  /^(?:contract|server|web)\/([^/]+)\//.exec(file)?.[1];

/** Rooms of the server with a file among these that is no test. */
function serverRooms(files: ReadonlySet<string>, sources: Sources): Set<string> {
  const rooms = [...files]
    .filter((file) => file.startsWith("server/") && projectOf(file) === undefined)
    .flatMap((file) => roomOf(file) ?? []);
  return new Set(rooms.filter((room) => sources.has(`server/${room}/room.ts`)));
}

/** Whether every row may depend on it: a room's rows, and the shared files of the contract. */
const isOfContract = (file: string, importers: Importers): boolean =>
  importers.get(file)?.has("contract/api.ts") === true || /^contract\/[\w-]+\.ts$/.test(file);

/** The tables and functions that a migration makes, alters, drops or writes to. */
function namesChangedBy(migration: string): string[] {
  const statement =
    /^(?:create|alter|drop) (?:or replace )?(?:table|function) (?:if (?:not )?exists )?(\w+)|^(?:insert into|update|delete from) (\w+)/gim;
  return [
    ...new Set(
      [...migration.matchAll(statement)].flatMap(([, made, written]) => made ?? written ?? []),
    ),
  ];
}

/** Whether the SQL in a file, or Kysely's names of tables, mention one of these. */
function mentions(text: string, names: readonly string[]): boolean {
  return names.some((name) =>
    new RegExp(
      String.raw`\b(?:from|join|into|update|only)\s+${name}\b|["'\`]${name}(?: as \w+)?["'\`]|\b${name}\(`,
    ).test(text),
  );
}

const singular = (name: string): string => name.replace(/ies$/, "y").replace(/s$/, "");

function isNamedAfter(test: string, room: string): boolean {
  const name = basename(test, ".test.ts");
  return singular(name) === singular(room) || new RegExp(`^${singular(room)}s?-`).test(name);
}

/** Whether a file imports one of a room itself, on one `side` if given. */
const importsRoom = (importer: string, room: string, importers: Importers, side = ""): boolean =>
  [...importers].some(
    ([file, by]) => by.has(importer) && roomOf(file) === room && file.startsWith(side),
  );

/** The addresses of the portal that a journey mentions. */
function visitedPaths(journey: string, screens: ReadonlyMap<string, string>): string[] {
  const written = journey.matchAll(/(?<=["'`}*])\/[A-Za-z][^"'`\s?#]*/g);
  return [...new Set([...written].map(([address]) => address))].flatMap(
    (address) => routeOf(address, [...screens.keys()]) ?? [],
  );
}

/**
 * The route of an address in a test, template expressions included: the one with the most words in common.
 */
function routeOf(address: string, routes: readonly string[]): string | undefined {
  const parts = address.split("/");
  const inCommon = (route: string) => {
    const own = route.split("/");
    const fits = own.every((part, at) => part.startsWith(":") || part === parts[at]);
    return fits && own.length === parts.length
      ? own.filter((part) => !part.startsWith(":")).length
      : 0;
  };
  const best = routes.toSorted((a, b) => inCommon(b) - inCommon(a))[0];
  // The empty word before the first slash is common to all.
  return best && inCommon(best) > 1 ? best : undefined;
}

const list = (names: Iterable<string>): string => [...names].join(", ");
