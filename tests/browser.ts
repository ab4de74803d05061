// A real Chromium for the journeys: the one that npm ships, else one found on PATH.
import { existsSync } from "node:fs";
import { access, constants, readFile, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { hasMemory, scratchFolder } from "./scratch.ts";

const root = join(import.meta.dirname, "..");
const tmp = join(root, ".tmp");

// Our own arguments: the package's hold --single-process and --disable-web-security. The second
// group keeps the browser from calling its maker while a test counts requests.
const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  // Nothing is drawn by a graphics card: a process for it only costs the way there.
  "--in-process-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-first-run",
  "--no-pings",
  "--metrics-recording-only",
  "--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication," +
    "InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater",
];

/** Starts a browser; the caller closes it. */
export async function launchBrowser(more: string[] = []): Promise<Browser> {
  const options = await launchOptions(more);
  return await launchTwice(() => chromium.launch(options));
}

/** The packaged Chromium crashes on its way up now and then, before it has been given a page: it is started again. */
async function launchTwice<Started>(launch: () => Promise<Started>): Promise<Started> {
  try {
    return await launch();
  } catch (problem) {
    if (!String(problem).includes("signal=SIGSEGV")) throw problem;
    return await launch();
  }
}

/** Starts a browser that `openBrowser` of any worker of the run connects to; the caller closes it. */
export async function serveBrowser(): Promise<BrowserServer> {
  // A signal ends the run in one place (tests/global-setup.ts).
  const noSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const options = { ...(await launchOptions()), ...noSignals };
  return await launchTwice(() => chromium.launchServer(options));
}

/** The run's browser where the test runner has started one, else a new one; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const address = process.env["VITEST"] ? (await import("vitest")).inject("browser") : undefined;
  return address ? await chromium.connect(address) : await launchBrowser();
}

async function launchOptions(more: string[] = []) {
  const { executablePath, environment } = await findBrowser();
  return {
    executablePath,
    args: [...browserArguments, ...more],
    // What its processes share lies on the disk otherwise (Playwright's default, for containers with little memory).
    ignoreDefaultArgs: (await hasMemory()) ? ["--disable-dev-shm-usage"] : [],
    env: { ...definedEnvironment(), ...environment },
    headless: true,
  };
}

interface Found {
  executablePath: string;
  environment: Record<string, string>;
}

async function findBrowser(): Promise<Found> {
  if (process.platform !== "linux" || process.arch !== "x64") return await onPath();
  const folder = await unpack();
  return {
    executablePath: join(folder, "chromium"),
    environment: { FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

// The package unpacks into the temporary folder and reuses whatever file of its name lies there, a
// half-written one too. It gets a private folder, put in place by one rename once it is whole, and
// kept for the next runs (unpacking takes about two seconds).
async function unpack(): Promise<string> {
  const folder = join(tmp, `chromium-${await packageVersion()}`);
  if (existsSync(folder)) return folder;
  const aside = await scratchFolder("unpacking");
  const previous = process.env["TMPDIR"];
  process.env["TMPDIR"] = aside;
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    await packaged.executablePath();
    await writeFile(join(aside, "fonts.conf"), fontSettings(folder));
  } finally {
    if (previous === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = previous;
  }
  await rename(aside, folder).catch(() => rm(aside, { recursive: true, force: true }));
  return folder;
}

// The package brings fonts for machines that have none, but its settings name another folder.
const fontSettings = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, "fonts", "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`;

async function packageVersion(): Promise<string> {
  const path = join(root, "node_modules", "@sparticuz", "chromium", "package.json");
  return (JSON.parse(await readFile(path, "utf8")) as { version: string }).version;
}

async function onPath(): Promise<Found> {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  const applications = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...applications,
  ];
  for (const executablePath of candidates)
    if (await isExecutable(executablePath)) return { executablePath, environment: {} };
  throw new Error("No Chromium: install Chromium or Chrome to run the journeys on this system.");
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

const definedEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
