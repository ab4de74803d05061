// How the front end is built: an application shell and pages prerendered beside it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type PluginOption } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { preloadMain } from "./web/build/preload.ts";
import { withConstants } from "./web/build/constants.ts";
import { pages } from "./web/build/pages.ts";
import { prerender } from "./web/build/prerender.ts";
import { inlineApiRows } from "./web/build/inline-rows.ts";
import { withoutSchemas } from "./web/build/schemas.ts";
import { withoutHtmlProbe } from "./web/build/leaflet.ts";
import { seal } from "./web/build/seal.ts";
import { whyMode } from "./web/build/why.ts";

const root = join(import.meta.dirname, "web");
const api = process.env.API_ORIGIN ?? `http://127.0.0.1:${process.env.API_PORT ?? 3000}`;

// The worker is the application's own (web/sw.ts); the plugin gives it the list of files to keep.
function worker(): PluginOption {
  if (!existsSync(join(root, "sw.ts"))) return null;
  return VitePWA({
    strategies: "injectManifest",
    srcDir: ".",
    filename: "sw.ts",
    injectRegister: null,
    manifest: false,
    injectManifest: {
      globPatterns: ["**/*.{js,css,html,woff2,svg,webmanifest}"],
      globIgnores: ["test/**", "assets/test-*", "assets/street-map-*"],
    },
  });
}

/** What every visit needs is one file: the modules that this one imports without waiting. */
const mainEntry = join(root, "main.tsx");
/** The document's own script, which runs before that: the requests of the first screen. */
const prefetchEntry = join(root, "first.ts");
/** Where one lands: what other screens share beyond it waits until one of them is opened. */
const firstScreen = join(root, "dashboard", "dashboard-page.tsx");
/** What the forms of many rooms share, in the wallet its ways to money; not the fields of a few forms. */
const shared =
  /\/web\/(?:ui|app\/\w+|wallet(?=\/(?:top-up-(?:limits|link)|reachable)))\/(?!otp|date-field|day-filter|days|form\.|form-actions|button-group|save|combobox|phone|qr\.|use-search-text|upload|step-heading)|@tanstack/;

interface Modules {
  getModuleInfo: (id: string) => { importers: readonly string[] } | null;
}

/**
 * The parts of the libraries that only later screens use: parallel queries, infinite queries, mutations, the
 * blocker.
 */
const later =
  /query-core\/.*\/(?:queriesObserver|infiniteQueryO|mutationObserver)|react-query\/.*\/use(?:Queries|Infinite|Mutation)|react-router\/.*\/useBlocker/;

/** Modules that the start imports, or the first screen beside its own files: the others find them there. */
const isFirst = (id: string, modules: Modules): boolean =>
  reaches(id, mainEntry, modules) ||
  (!/\/web\/dashboard\/.*\.tsx?$/.test(id) && reaches(id, firstScreen, modules));

/** Whether `entry` imports the module, itself or through others, without waiting. */
function reaches(id: string, entry: string, modules: Modules, seen = new Set<string>()): boolean {
  if (id === entry) return true;
  seen.add(id);
  const importers = modules.getModuleInfo(id)?.importers ?? [];
  return importers.some((name) => !seen.has(name) && reaches(name, entry, modules, seen));
}

/**
 * A name says nothing to the browser, and that of each script and sheet is written out where it is loaded.
 * Those of the gallery of parts and of the plan on streets are told from the others: the service worker keeps none
 * of them, and few portals show streets.
 */
const fileName = (name: string): string =>
  /^test-|^street-map|\.(?!css|module)/.test(name)
    ? "assets/[name]-[hash][extname]"
    : "assets/[hash][extname]";
const scriptName = ({ name }: { name: string }) => fileName(name).replace("[extname]", ".js");

export default defineConfig(({ command, mode }) => ({
  root,
  publicDir: join(root, "public"),
  plugins: [
    react(),
    inlineApiRows(),
    withoutSchemas(),
    withConstants(),
    withoutHtmlProbe(),
    prerender(),
    preloadMain(),
    worker(),
    seal(),
  ],
  build: {
    outDir: join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    target: ["chrome123", "firefox121", "safari17.5"],
    // These have light-dark(): without this the palette would be written out twice.
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    modulePreload: { polyfill: false },
    // A data: font or script would be refused by the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: mode === whyMode && "hidden",
    manifest: "manifest.json",
    rolldownOptions: {
      output: {
        entryFileNames: scriptName,
        chunkFileNames: scriptName,
        assetFileNames: ({ names }) => fileName(names[0] ?? ""),
        // A few files that change together, instead of one for each component that two screens share.
        codeSplitting: {
          groups: [
            {
              name: (id, modules) =>
                id !== prefetchEntry &&
                (id.includes("preload-helper") || reaches(id, prefetchEntry, modules))
                  ? "first"
                  : null,
              priority: 5,
            },
            // React, the router and the queries change with their versions alone: a change of ours leaves them kept.
            {
              name: (id, modules) =>
                id.includes("node_modules/") && !later.test(id) && isFirst(id, modules)
                  ? "libraries"
                  : null,
              priority: 4,
            },
            {
              name: (id, modules) =>
                id !== mainEntry && !later.test(id) && isFirst(id, modules) ? "start" : null,
              priority: 3,
            },
            // Numbered pages: one screen has them, every form would carry them.
            { name: "pagination", test: /\/web\/ui\/(?:pagination|page-numbers)\./, priority: 2 },
            // Lists read page by page: the screens that show one have them, every form would carry them.
            {
              name: "lists",
              test: /\/web\/(?:ui\/query-list|app\/transport\/pages)\.|query-core\/.*\/infiniteQueryO|react-query\/.*\/useInfinite/,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            // How words, columns, buttons and lists are set, and what forms say of the contract: most screens have them, the
            // first one does without.
            {
              name: "text",
              test: /\/web\/ui\/(?:text|stack|actions|divided-list)\.|\/contract\/(?:places|weeks|demo\/rows|signed-codes\/\w+)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The bar at the foot: the screens that have one, not every form.
            {
              name: "foot-bar",
              test: /\/web\/ui\/foot-bar\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Rows that lead to a page, and those that unfold: the screens of people, rights, passes and wallets.
            {
              name: "list-rows",
              test: /\/web\/ui\/(?:disclosure|link-row)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The days of a month: the field of a date opens it, the follow-up of meals draws one.
            {
              name: "month-grid",
              test: /\/web\/ui\/month-grid\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The sentences about cancelling a meal: not said where meals are chosen.
            {
              name: "cancel-words",
              test: /\/contract\/meals\/cancel-words/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What is held out to a reader: the paper of tickets and passes; the code of these, of meals and the card.
            {
              name: "paper-ticket",
              test: /\/web\/ui\/(?:paper-ticket|code-wait|one-by-one)\./,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            // Swipes and arrow keys: open tickets and passes have them, and the tour of the first day.
            {
              name: "stepping",
              test: /\/web\/ui\/stepping\./,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            {
              name: "presented-code",
              test: /\/web\/ui\/presented-code\./,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            // A screen that stays lit: while a code is held out, and on a till that stands alone.
            {
              name: "wake-lock",
              test: /\/web\/ui\/wake-lock\./,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            {
              name: "qr",
              test: /\/web\/ui\/qr\.|node_modules\/qr\/index\./,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            // What some forms have and the others do not carry: their steps, a link to hand on, a passkey, the words of
            // a wallet, and the titles of what a device keeps.
            {
              name: "stepper",
              test: /\/web\/ui\/stepper\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: "shared-link",
              test: /\/web\/(?:ui\/shared-link|app\/shared\/use-shared-link)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: "passkeys",
              test: /\/web\/app\/transport\/passkey/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: "wallet-words",
              test: /\/web\/wallet\/(?:reachable-wallets|top-up-limits)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: "stored-titles",
              test: /\/web\/app\/shared\/(?:stored-titles|use-title-refresh)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Charts: few screens draw one.
            {
              name: "chart",
              test: /\/web\/ui\/(?:chart|chart-marks|scale)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // A file that a form sends: two tasks of professionals have one.
            {
              name: "file-field",
              test: /\/web\/ui\/file-f/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The words of a followed top-up: its own page and the automatic top-ups say them.
            {
              name: "top-up-words",
              test: /\/web\/wallet\/top-up-words/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The end of what is paid: seen after a payment, not by every form.
            {
              name: "payment-end",
              test: /\/(?:web\/(?:wallet\/payment-end|checkout\/paid-order)|contract\/checkout\/purchases)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: "followed-payment",
              test: /\/web\/wallet\/use-followed-payment/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Shared by the counters: a camera, its verdicts, and how these are heard.
            {
              name: "counter",
              test: /\/web\/(?:ui\/verdict|signed-codes\/camera\.)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: "verdict-signal",
              test: /\/web\/signed-codes\/verdict-signal/,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            // Shared by the parts of the till: a part that comes later does not bring the charging along.
            {
              name: "till",
              test: /\/web\/till\/(?:amount-entry|basket\.|use-enter|till-words|use-articles|use-till|use-window-width|sale-search|till\.module)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Shared by the parts of a sale.
            {
              name: "sale",
              test: /\/web\/till\/(?:basket-lines|charging|sale\.module)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What the home of a professional calls of the till, and one file for each other thing that it does.
            {
              name: "till-rows",
              test: /\/contract\/till\/(?:closings|lines|rows|sales|states)\./,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            {
              name: (id) => /\/contract\/(till\/\w+)/.exec(id)?.[1]?.replace("/", "-") ?? null,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Shared by the parts of an order of cards: a step does not bring the list of the orders along.
            {
              name: "card-orders",
              test: /\/(?:web\/card-orders\/(?:navigation|words|card-orders\.module)|contract\/card-orders\/)/,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            // Shared by the actions on a company's card: a dialog does not bring the list of the cards along.
            {
              name: "pro-cards",
              test: /\/(?:web\/cards\/(?:colleague|pro-card-words)|contract\/companies\/pro-cards)/,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            // The scans of a canteen's counter: the conflicts are shown elsewhere too, without the counter.
            {
              name: "meal-scans",
              test: /\/web\/meal-service\/scan-queue\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What the week of menus and the page of a day share: neither brings the other along.
            {
              name: "menus",
              test: /\/web\/kitchen\/menu-(?:lines|week)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What is said of a dish and of the days of service: a counter and a menu need no orders.
            {
              name: "dishes",
              test: /\/contract\/(?:kitchen\/(?:states|served-dishes|service-day|dish-\w+|menus|own|limits)|meals\/states|meal-service\/\w+)\./,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            // A counter that stands alone on its screen, and the line that says it is without network.
            {
              name: "kiosk",
              test: /\/web\/(?:app\/shared\/kiosk|ui\/offline-line)\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The codes that a hand reader types: each counter takes them, wherever its keyboard stands.
            {
              name: "hand-reader",
              test: /\/web\/signed-codes\/hand-reader\./,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // And those that go on without network: what they keep, and codes read on the device.
            {
              name: "counter-offline",
              test: /\/web\/(?:app\/transport\/offline-queue|signed-codes\/read-code|till\/till-kit)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The rules of a canteen: their preview, which comes later, does not bring their form along.
            {
              name: "canteen-rules",
              test: /\/contract\/kitchen\/(?:rules|prices|deadlines)\./,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            // What the screens of the canteen share waits until one of them is opened.
            {
              name: "canteen",
              test: /\/contract\/(?:kitchen|meals|meal-service|allergies)\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // And what those of professionals do.
            {
              name: "professional",
              test: /\/contract\/(?:compan|card-orders|commuting|settlement|invoices|partners\/partnership|grants)/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What the roles of a professional open: the screens of a company ask, the forms of all do not.
            {
              name: "roles",
              test: /\/(?:web\/app\/shared\/own-roles|contract\/companies\/(?:roles|rows|siren))/,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            {
              name: "closed-to-role",
              test: /\/web\/app\/shared\/closed-to-role/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: "role-choice",
              test: /\/web\/app\/shared\/role-choice/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What the screens of the family call.
            {
              name: "family",
              test: /\/contract\/family\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What keeps a wallet filled: its own screen and the wallet's.
            {
              name: "funding",
              test: /\/contract\/funding\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // A dialog of the family asks for these: left in its page, they would bring the page along.
            { name: "first-card", test: /\/contract\/cards\/first-card/, priority: 1 },
            // The frame of the settings: no form of another screen carries it.
            {
              name: "settings",
              test: /\/web\/app\/shared\/settings/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Joining a service is one task: no other screen carries its words.
            {
              name: "memberships",
              test: /\/contract\/(?:memberships\/|companies\/siren)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // The words for places: the directory and the canteens.
            {
              name: "places",
              test: /\/web\/(?:partners\/place-words|app\/shared\/position)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // A plan of places: two screens show one.
            {
              name: "plan",
              test: /\/web\/app\/shared\/plan[-.]/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Rows that several screens call: one small file instead of one for each room.
            {
              name: "rows",
              test: /\/contract\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            {
              name: "forms",
              test: shared,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 1,
            },
          ],
        },
      },
      input: Object.fromEntries(
        pages
          .filter((page) => existsSync(join(root, page.file)))
          .map((page) => [page.file.replace("/", "-").replace(".html", ""), join(root, page.file)]),
      ),
    },
  },
  resolve: {
    // React has had this of its own since 18.
    alias: {
      "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector",
    },
  },
  css: {
    modules: {
      // `price-line` of a sheet is `styles.priceLine` (tests/style-rules.test.ts finds the missing).
      localsConvention: "camelCaseOnly",
      generateScopedName: command === "build" ? "[hash:base64:5]" : "[name]__[local]",
    },
  },
  server: {
    proxy: { "/api": api, "/paiement": api },
  },
}));
