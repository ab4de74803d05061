// Which tests `npm test -- --changed` runs for a change, on a small portal of made-up files.
import { expect, test } from "vitest";
import { chooseTests } from "../scripts/test-choice.ts";

const openServer = 'import { openTestServer } from "#tests/test-server.ts";';
const openPortal = 'import { openTestPortal } from "../test-portal.ts";';
const sources = new Map(
  Object.entries({
    "package-lock.json": "",
    "vitest.config.ts": "",
    "contract/api.ts": 'import { tickets } from "./tickets/rows.ts";',
    "contract/limits.ts": "",
    "contract/tickets/rows.ts": "export const tickets = {};",
    "contract/tickets/states.ts": "export const ticketCan = {};",
    "server/rooms.ts": 'import { tickets } from "./tickets/room.ts";',
    "server/process/app.ts":
      'import { rooms } from "#server/rooms.ts"; import { serve } from "#server/http/serve.ts";',
    "server/http/serve.ts": 'import { api } from "#contract/api.ts";',
    "server/http/serve.test.ts": 'import { serve } from "./serve.ts";',
    "server/http/pdf.ts": "",
    "server/db/migrate.test.ts": openServer,
    "server/db/migration-compatibility.test.ts": openServer,
    "server/db/migrations/0001-tickets.sql": "create table ticket (id bigint);",
    "server/tickets/room.ts": `import { buy } from "./tickets.ts"; import { seatsFreed } from "./freed.ts";
      import { onEmptied, onRead } from "#server/cards/cards.ts"; import { mayRead } from "./reading.ts";
      const hooks = [attach({ onEmptied }, seatsFreed), attachAs({ onRead }, "ticket", mayRead)];`,
    "server/tickets/freed.ts": "export const seatsFreed = 1;",
    "server/tickets/reading.ts": "export const mayRead = 1;",
    "server/tickets/tickets.ts":
      'export { seatsOf } from "./seats.ts"; export { toPdf } from "./ticket-pdf.ts"; export const buy = 1;',
    "server/tickets/seats.ts": "sql`select from ticket`",
    "server/tickets/ticket-pdf.ts": 'import { draw } from "#server/http/pdf.ts";',
    "server/tickets/tickets.test.ts": openServer,
    "server/cards/room.ts": 'import { close } from "./cards.ts";',
    "server/cards/cards.ts": "export const onEmptied = []; export const onRead = {};",
    "server/cards/cards.test.ts": openServer,
    "server/portal/room.ts": 'import { home } from "./home.ts";',
    "server/portal/home.ts": 'import { seatsOf, type Seat } from "#server/tickets/tickets.ts";',
    "server/portal/home.test.ts": openServer,
    "server/contact/room.ts": `import type { Seat } from "#server/tickets/tickets.ts";
      import { onEmptied } from "#server/cards/cards.ts"; import { writeOfIt } from "./notices.ts";
      const hooks = [
        attach(
          { onEmptied },
          writeOfIt,
        ),
      ];`,
    "server/contact/notices.ts": "export const writeOfIt = 1;",
    "server/contact/contact.test.ts": openServer,
    "web/main.tsx":
      'import { Button } from "./ui/button.tsx"; const routes = () => import("./routes.ts");',
    "web/routes.ts": 'const tickets = () => import("./tickets/tickets-page.tsx");',
    "web/ui/button.tsx": "",
    "web/tickets/tickets-page.tsx":
      'import { Button } from "#web/ui/button.tsx"; import { ticketCan } from "#contract/tickets/states.ts";',
    "web/tickets/seats.test.ts": "",
    "web/contact/contact-page.tsx": "",
    "tests/test-server.ts": 'import { buildApp } from "#server/process/app.ts";',
    "tests/test-portal.ts": 'import { openTestServer } from "./test-server.ts";',
    "tests/events.ts": 'import { buy } from "#server/tickets/tickets.ts";',
    "tests/house-rules.test.ts": 'import { rooms } from "#server/rooms.ts";',
    "tests/access.test.ts": openServer,
    "tests/literals.test.ts": "",
    "tests/accessibility/travel.test.ts": openPortal,
    "tests/journeys/tickets.test.ts": openPortal,
    "tests/journeys/gate.test.ts": `${openPortal} page.goto(\`\${portal.url}/services/E-Billet\`);`,
    "tests/journeys/phone.test.ts": `${openPortal} import { show } from "../events.ts";`,
    "tests/journeys/contact.test.ts": `${openPortal} page.goto("/contact");`,
  }),
);
const screens = new Map([
  ["/services/E-Billet", "web/tickets/tickets-page.tsx"],
  ["/contact", "web/contact/contact-page.tsx"],
]);

/** The chosen tests, but for those that run always. */
function chosenFor(...changed: string[]): string[] {
  const { groups } = chooseTests(changed, { sources, screens });
  const tests = groups.flatMap((group) => group.tests);
  expect(tests).toContain("tests/house-rules.test.ts");
  return tests.filter((file) => file !== "tests/house-rules.test.ts").sort();
}

const journeysOfTickets = ["tests/journeys/gate.test.ts", "tests/journeys/tickets.test.ts"];
const roomOfTickets = ["server/tickets/tickets.test.ts", "web/tickets/seats.test.ts"];
const everyJourney = [
  "tests/journeys/contact.test.ts",
  "tests/journeys/gate.test.ts",
  "tests/journeys/phone.test.ts",
  "tests/journeys/tickets.test.ts",
];

test("a file of a room: the tests of that room, of rooms that take what it defines, and its journeys", () => {
  expect(chosenFor("server/tickets/seats.ts")).toEqual(
    ["server/portal/home.test.ts", ...journeysOfTickets, ...roomOfTickets].sort(),
  );
});

test("a name that the main file of a room passes on does not make its importers depend on the others", () => {
  const tests = chosenFor("server/tickets/ticket-pdf.ts");
  expect(tests).toEqual([...journeysOfTickets, ...roomOfTickets].sort());
});

test("a step of a hook: the room that runs it too, and no other that attaches one", () => {
  expect(chosenFor("server/tickets/freed.ts")).toEqual(
    ["server/cards/cards.test.ts", ...journeysOfTickets, ...roomOfTickets].sort(),
  );
});

test("a step of a hook for one kind, or one written over several lines: the same", () => {
  expect(chosenFor("server/tickets/reading.ts")).toEqual(
    ["server/cards/cards.test.ts", ...journeysOfTickets, ...roomOfTickets].sort(),
  );
  expect(chosenFor("server/contact/notices.ts")).toEqual(
    [
      "server/cards/cards.test.ts",
      "server/contact/contact.test.ts",
      "tests/journeys/contact.test.ts",
    ].sort(),
  );
});

test("a room with a part on another room's screen: the journeys of that screen too", () => {
  const { groups } = chooseTests(["server/tickets/seats.ts"], {
    sources: new Map([
      ...sources,
      ["web/tickets/seat-list.tsx", ""],
      ["web/desk/desk-page.tsx", 'const list = import("#web/tickets/seat-list.tsx");'],
      ["tests/journeys/day.test.ts", `${openPortal} page.goto("/pro/jour");`],
    ]),
    screens: new Map([...screens, ["/pro/jour", "web/desk/desk-page.tsx"]]),
  });
  expect(groups.flatMap(({ tests }) => tests)).toContain("tests/journeys/day.test.ts");
});

test("what tests arrange with: the tests that take it from there", () => {
  expect(chosenFor("server/tickets/tickets.ts")).toContain("tests/journeys/phone.test.ts");
  expect(chosenFor("tests/events.ts")).toEqual(["tests/journeys/phone.test.ts"]);
});

test("a test: itself alone", () => {
  const file = "server/tickets/tickets.test.ts";
  expect(chosenFor(file)).toEqual([file]);
});

test("what each server runs: every test with a server", () => {
  const tests = chosenFor("server/http/serve.ts");
  expect(tests).toEqual(
    expect.arrayContaining([...everyJourney, "server/contact/contact.test.ts"]),
  );
  expect(tests).not.toContain("web/tickets/seats.test.ts");
});

test("a row of the contract: its room, and what holds every row", () => {
  expect(chosenFor("contract/tickets/rows.ts")).toEqual(
    [
      ...roomOfTickets,
      "tests/access.test.ts",
      "tests/journeys/tickets.test.ts",
      "tests/literals.test.ts",
    ].sort(),
  );
});

test("a migration: the rooms whose SQL names its tables", () => {
  expect(chosenFor("server/db/migrations/0001-tickets.sql")).toEqual([
    "server/db/migrate.test.ts",
    "server/db/migration-compatibility.test.ts",
    "server/tickets/tickets.test.ts",
  ]);
});

test("what a screen shows: the journeys that visit its address, and a word on accessibility", () => {
  const { unvisited } = chooseTests(["contract/tickets/states.ts"], { sources, screens });
  expect(unvisited).toEqual(["tickets"]);
  expect(chosenFor("contract/tickets/states.ts")).toEqual(
    [...journeysOfTickets, ...roomOfTickets].sort(),
  );
});

test("what lies beneath every screen, or everything: whole projects", () => {
  const beneath = ["tests/accessibility/travel.test.ts", ...everyJourney];
  expect(chosenFor("web/ui/button.tsx")).toEqual(beneath);
  const all = [...sources.keys()].filter((file) => file.includes(".test.ts"));
  expect(chosenFor("package-lock.json")).toHaveLength(all.length - 1);
});

test("a document, that of a room too: nothing but what runs always", () => {
  expect(chosenFor("server/tickets/README.md")).toEqual([]);
  expect(chosenFor("docs/spec.md")).toEqual([]);
});
