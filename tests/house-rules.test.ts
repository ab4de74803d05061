// Architecture rules, checked by reading the code: who may import whom, how things are called.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { problems } from "#contract/errors.ts";
import { paths, searchNames } from "#contract/paths.ts";
import type { Deps } from "#server/process/deps.ts";
import { rooms } from "#server/rooms.ts";

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

// The demo scheme fills every room and brings nothing to the server: it stands after them.
const roomOrder = [...rooms.map(({ name }) => name), "demo"];
const everyImport = own.flatMap(importsOf);
const broken = (law: (one: Import) => boolean) =>
  everyImport.filter(law).map(({ from, to }) => `${from} → ${to}`);

/** The room of a server file, null for what is beneath the rooms (http, db, config…). */
const roomOf = (path: string) => {
  const room = /^server\/([^/]+)\//.exec(path)?.[1];
  return room && roomOrder.includes(room) ? room : null;
};
const rank = (room: string) => roomOrder.indexOf(room);
/** Files beneath or above the rooms that may know them all. */
const composing = /^server\/(rooms\.ts|process\/(app|open-portal|jobs)\.ts|operator\/[\w-]+\.ts)$/;

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

  test("web/app: what talks to the server knows no widget, and a screen knows no shell", () => {
    const parts = ["transport", "shared", "shell"];
    const levelOf = (file: string) =>
      parts.findIndex((part) => file.startsWith(`web/app/${part}/`));
    const law = ({ from, to }: Import) =>
      levelOf(from) === -1
        ? /^web\/(?!app\/|main|first|test\/)/.test(from) && to.startsWith("web/app/shell/")
        : levelOf(to) > levelOf(from);
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
      if (to.endsWith("/room.ts") && from === "server/rooms.ts") return false;
      if (here && rank(there) > rank(here)) return true;
      if (!here && from.startsWith("server/")) return true;
      return to !== `server/${there}/${there}.ts`;
    };
    expect(broken(law)).toEqual([]);
  });

  test("only the main file of a server's room passes on what another file defines", () => {
    const law = /^export (?:type )?(?:\{[^}]*\}|\*(?: as \w+)?) from/m;
    const isMain = (file: string) => file === `server/${roomOf(file)}/${roomOf(file)}.ts`;
    expect(own.filter((file) => !isMain(file) && law.test(read(file)))).toEqual([]);
  });

  test("web rooms import earlier rooms only; app/ knows ui/ only, ui/ knows no room", () => {
    // The server's order, and then the screens that compose what the rooms show: nobody imports these.
    const last = ["door", "desk", "family", "dashboard"];
    const order = [...roomOrder.filter((room) => !last.includes(room)), ...last];
    const notRooms = ["app", "build", "test", "ui"];
    const roomOfWeb = (path: string) => /^web\/([^/]+)\//.exec(path)?.[1] ?? null;
    const law = ({ from, to }: Import) => {
      const [here, there] = [roomOfWeb(from), roomOfWeb(to)];
      if (!here || !there || here === there || there === "ui") return false;
      if (here === "ui" || here === "app") return true;
      if (there === "app" || here === "test" || here === "build") return false;
      if (last.includes(there)) return true;
      return order.indexOf(there) > order.indexOf(here);
    };
    expect(broken(law)).toEqual([]);
    const known = [...order, ...notRooms];
    expect(own.filter((file) => !known.includes(roomOfWeb(file) ?? "app"))).toEqual([]);
  });
});

describe("hooks", () => {
  test("later rooms hang on these hooks of earlier ones, and on no other", () => {
    const hung = rooms.flatMap(({ name, hooks = [] }) =>
      hooks.map(({ hook, step }) => `${hook} ← ${name}.${step}`),
    );
    expect(hung.sort()).toMatchInlineSnapshot(`
      [
        "companyHome ← companies.bankHome",
        "companyHome ← grants.grantsHome",
        "companyHome ← invoices.invoicesHome",
        "companyHome ← meal-service.canteenHome",
        "companyHome ← partners.invitationsHome",
        "companyHome ← partners.sheetsHome",
        "companyHome ← passes.networkHome",
        "companyHome ← tickets.eventsHome",
        "firstSteps ← companies.bankStep",
        "firstSteps ← meal-service.canteenSteps",
        "firstSteps ← till.saleStep",
        "homeBuses ← passes.busesOfDay",
        "homeCanteen ← kitchen.isAnyRegistered",
        "homeComing ← passes.passesToCome",
        "homeComing ← tickets.ticketsToCome",
        "homeDayFacts ← meals.mealsOfDays",
        "homeDayFacts ← tickets.ticketsOfDays",
        "homeStops ← transit.firstFavouriteOf",
        "homeToDos ← commuting.commutingToDos",
        "homeToDos ← contact.contactToDos",
        "homeToDos ← entitlements.proofToDos",
        "homeToDos ← funding.moneyRequestToDos",
        "homeToDos ← meals.mealToDos",
        "homeToDos ← memberships.membershipToDos",
        "homeToDos ← passes.passOrderToDos",
        "homeToDos ← privacy.closingToDos",
        "homeToDos ← subscriptions.subscriptionToDos",
        "homeToDos ← tickets.ticketToDos",
        "homeToDos ← till.tillToDos",
        "onAidReturned ← grants.noteReturn",
        "onAllergensAdded ← meals.tellAffectedFamilies",
        "onAllergensDeclared ← meals.reviewMealsOf",
        "onAttachmentDrawn.tickets_calendar ← tickets.orderCalendar",
        "onAttachmentDrawn.tickets_pdf ← tickets.orderTicketsPdf",
        "onContactReplaced ← family.requireOwnContacts",
        "onDocumentRead.illness ← meals.mayReadCertificate",
        "onDocumentRead.pass_exemption ← passes.mayReadOrder",
        "onDocumentRead.pass_photo ← passes.mayReadOrder",
        "onDocumentRead.subscription_proof ← subscriptions.mayReadProof",
        "onHolderLeft ← funding.endRequestOf",
        "onHolderLeft ← funding.endRulesOfLeaver",
        "onHolderLeft ← meals.cancelMealsOfLeaver",
        "onLoginDenied ← meals.endDeniedCalendar",
        "onOpposed ← funding.endRequestOf",
        "onOpposed ← passes.revokePassQrs",
        "onOpposed ← tickets.renewTicketCodes",
        "onOrderPaid.grants ← grants.settleOrder",
        "onOrderPaid.invoice ← invoices.settleOrder",
        "onOrderPaid.meals ← meals.settleOrder",
        "onOrderPaid.pass ← passes.settleOrder",
        "onOrderPaid.pro_cards ← card-orders.settleOrder",
        "onOrderPaid.subscription ← subscriptions.settleOrder",
        "onOrderPaid.tickets ← tickets.settleOrder",
        "onOrderPaymentEnded.pass ← passes.reopen",
        "onOrderPaymentEnded.tickets ← tickets.reopen",
        "onPassPriced ← commuting.shareOf",
        "onPasswordChosen ← cards.activateFirstCard",
        "onPasswordChosen ← meals.endFormerCalendar",
        "onReversed ← till.returnReversed",
        "onRulesSaved ← meals.fitSeats",
        "onSharedPassBought ← commuting.bookShare",
        "onTopUpSettled.link ← funding.onGiftTopUpSettled",
        "onTopUpSettled.rule ← funding.onRuleTopUpSettled",
        "onVerified ← grants.proveGrants",
        "onVerified ← meal-service.proveMealDues",
        "onVerified ← settlement.proveSettlements",
        "onVerified ← wallet.proveTransfers",
        "personalToDos ← contact.professionalContactToDos",
        "personalToDos ← till.professionalTillToDos",
        "profileFacts ← allergies.allergiesDeclared",
        "profileFacts ← privacy.ownDataFacts",
        "tileFacts ← partners.directoryFacts",
        "tileFacts ← passes.ridingFacts",
        "tileFacts ← subscriptions.subscriptionFacts",
        "tileFacts ← tickets.ticketFacts",
      ]
    `);
  });

  test("tasks, commands and routes have names of their own", () => {
    const doubles = (list: readonly string[]) =>
      list.filter((name, index) => list.indexOf(name) !== index);
    expect(doubles(rooms.flatMap(({ commands = [] }) => commands.map(({ name }) => name)))).toEqual(
      [],
    );
    expect(doubles(rooms.map(({ name }) => name))).toEqual([]);
    const tasks = rooms.flatMap((room) => Object.keys(room.tasks?.({} as Deps) ?? {}));
    expect(doubles(tasks)).toEqual([]);
    const timed = rooms.flatMap(({ routines = [] }) => routines.map(({ task }) => task));
    expect(timed.filter((task) => !tasks.includes(task))).toEqual([]);
  });
});

describe("names", () => {
  test("no file hides behind an empty name", () => {
    const empty = /(^|\/)(utils?|helpers?|misc|common|manager|data)(\.|\/)/;
    expect(files.filter((file) => empty.test(file))).toEqual([]);
  });

  test("files stay readable: at most 350 lines", () => {
    // A listing that `npm run schema` writes is read by nobody from its first line to its last.
    const written = new Set(["server/db/tables.ts"]);
    const long = own
      .filter((file) => !written.has(file))
      .map((file) => ({ file, lines: read(file).split("\n").length }))
      .filter(({ lines }) => lines > 350);
    expect(long).toEqual([]);
  });

  test("only the checkout frees what the payment of a changed order sets aside, for every room", () => {
    const there = /^server\/(checkout|payments)\//;
    const asking = own.filter((file) => /\b(releaseHolds|requireNotAtBank)\b/.test(read(file)));
    expect(asking.filter((file) => !there.test(file))).toEqual([]);
  });

  test("the specification's odd spellings live in the route table and the contract only", () => {
    const odd = /servivces|Purchache|pretataire|cantine_futures|AbonnementbusCpp/;
    const homes = /^(web\/paths\.ts|contract\/|tests\/)/;
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

describe("addresses", () => {
  /** The fixed beginning of each path; a path that begins with a parameter has none. */
  const fixed = Object.values(paths)
    .map((one) => one.replace(/\/:.*/, ""))
    .filter((one) => one.length > 1);
  const path = new RegExp(`["'\`}](?:${fixed.join("|")})(?=["'\`/?#$])`);
  const onWire = Object.values(searchNames).filter((name) => name !== "q");
  const parameter = new RegExp(`[?&](?:${onWire.join("|")})=`);
  // The router takes any search, so that no type refuses the wire's name there.
  const search = new RegExp(
    String.raw`\bsearch(?:=\{|: ?)\{[^}]*?["'{, ](?:${onWire.join("|")})["']?\s*[,:}]`,
  );
  /** Lines of code that contain a literal address or search parameter. */
  const spellingIn = (text: string) =>
    text
      .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")
      .split("\n")
      .filter((line) => [path, parameter, search].some((one) => one.test(line)));

  test("the portal's are typed in contract/paths.ts alone", () => {
    const homes = new Set([
      "contract/paths.ts",
      "contract/limits.ts",
      // Runs without the build's constants: an import would load the whole table at every visit.
      "web/sw.ts",
    ]);
    // Without the gallery of the kit, whose links lead nowhere.
    const ofPortal = own.filter((file) => /^(contract|server|web)\/(?!test\/)/.test(file));
    const typed = ofPortal
      .filter((file) => !homes.has(file))
      .flatMap((file) => spellingIn(read(file)).map((line) => `${file}: ${line.trim()}`));
    expect(typed).toEqual([]);
  });

  test.each([
    'path: "/dashboard",',
    "path: `/contact?fil=${id}`,",
    '<Link href="/family#invitation">',
    "'/commande/cantine/' || g.slug",
    "`${publicUrl}/login`",
    "`${base}?onglet=billets`",
    'void navigate({ to: ".", search: { dotation: written.id } });',
    "<Link to={paths.wallets} search={{ onglet }}>",
  ])("a typed one is found: %s", (line) => expect(spellingIn(line)).toEqual([line]));

  test.each(['path: "/api/contact",', "// As `/faq/:id` says.", 'topic: "contact",'])(
    "another thing is not: %s",
    (line) => expect(spellingIn(line)).toEqual([]),
  );
});

describe("forms", () => {
  const web = own.filter((file) => file.startsWith("web/"));

  test("every form goes through useForm and ends with FormActions", () => {
    const outside = web.filter((file) => !file.startsWith("web/ui/"));
    const byHand = outside.filter((file) =>
      // Either the form has the handlers of useForm, or it says here why it is another thing.
      /<form(?!\s+\{\.\.\.(\w+\.)?form\})|onSubmit|type="submit"/.test(read(file)),
    );
    expect(byHand).toEqual([
      // The code sends itself with its last digit, and is refused by whoever asked for it.
      "web/app/shared/code-dialog.tsx",
      // Written before React is there, and sent without it.
      "web/app/shell/prerender/login.tsx",
    ]);
  });

  test("every date goes through DateField", () => {
    expect(web.filter((file) => read(file).includes('type="date"'))).toEqual([]);
  });
});

describe("typography", () => {
  test("no mark stands alone at the start of a line, nor a guillemet at its end: their spaces do not break", () => {
    const spoken = own.filter((file) => !/^(scripts|bench)\//.test(file));
    const loose = spoken.flatMap((file) =>
      read(file)
        .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")
        .split("\n")
        .filter((line) => /«(?: |$)|(?: |^)»|[\wà-ÿ»}] [?!](?:["'`<\\]|$)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    // What people typed themselves is bound where it is shown.
    expect(loose.filter((line) => !line.startsWith("contract/french.ts: "))).toEqual([]);
  });
});

describe("messages", () => {
  test("only notifications sends, and only its template says « Bonjour »", () => {
    const inRooms = own.filter(
      (file) => roomOf(file) !== null && !/^server\/(notifications|demo)\//.test(file),
    );
    const sends = inRooms.filter((file) => /\bsend\(|\.send\(tx|Bonjour/.test(read(file)));
    expect(sends).toEqual([]);
  });
});

describe("days", () => {
  test("today is the day in Paris, in tests too: in UTC it is yesterday for an hour or two each night", () => {
    const ofUtc =
      /now\(\).*\.toISOString\(\)\.slice\((0, 10|8)|(new Date\(\)|\bnow\b.*\))\.toISOString\(\)\.slice\(0, 10|\b(now|at)(\(\))?\.getUTC(FullYear|Month|Date)/;
    const sqlOfUtc = new RegExp(["current", "date\\b"].join("_"));
    const lines = code.flatMap((file) =>
      read(file)
        .split("\n")
        .filter((line) => ofUtc.test(line) || sqlOfUtc.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(lines).toEqual([]);
  });
});

describe("contract", () => {
  test("every row has its handler and every handler its row", () => {
    expect(
      rooms
        .flatMap(({ routes = [] }) => routes)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(
      everyRow()
        .map(({ name }) => name)
        .sort(),
    );
  });

  // proves: rates
  test("whatever draws a PDF on demand has a rate", () => {
    const free = everyRow().filter(({ row }) => row.reply === "pdf" && !row.rate);
    expect(free.map(({ name }) => name)).toEqual([]);
  });

  test("what one person may do and undo for ever, or write to others, has a rate", () => {
    const again =
      /\.(suspend|resume|withdraw\w*|set[A-Z]\w*|(invite|propose)\w*|sendMessage|write)$/;
    const free = everyRow().filter(
      ({ name, row }) => row.method !== "GET" && again.test(name) && !row.rate,
    );
    expect(free.map(({ name }) => name)).toEqual([]);
  });

  test("an e-mail address is checked by one rule, on the server as in a form", () => {
    const rules = own.flatMap((file) =>
      (read(file).match(/z\.email\([^)]*\)/g) ?? []).map((rule) => `${file} ${rule}`),
    );
    expect(rules).toEqual(["contract/endpoint.ts z.email({ pattern: emailPattern })"]);
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
    // Where no payments are taken nobody can; the screens offer it where they are.
    const topUp = codes.filter((name) =>
      /recharge[rz] (la|une|votre) cagnotte/i.test(problems[name as "internal"].message),
    );
    expect(topUp).toEqual([]);
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
