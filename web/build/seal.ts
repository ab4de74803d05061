// Last step of the build: the content security policy of each page from its final bytes, the
// precompressed twins of each file, the budgets.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, type Plugin, type ResolvedConfig } from "vite";
import { weigh } from "./budget.ts";
import { withConstants } from "./constants.ts";
import { pages } from "./pages.ts";
import { withoutSchemas } from "./schemas.ts";
import { whyMode } from "./why.ts";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The policy of a page: nothing but ourselves, inline styles by hash, one Trusted Types policy. */
function policyOf(html: string): string {
  if (/\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=/.test(html)) {
    throw new Error(
      "A page holds an inline script, style attribute or handler: refused by the CSP",
    );
  }
  const styles = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((found) =>
    hashOf(found[1] as string),
  );
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${["'self'", ...styles].join(" ")}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The one policy that may name a script's address: the service worker's.
    "trusted-types app",
  ].join("; ");
}

const compressible = /\.(?:html|js|css|svg|webmanifest|txt|json)$/;

function compress(folder: string, files: string[]): void {
  for (const file of files.filter((name) => compressible.test(name))) {
    const bytes = readFileSync(join(folder, file));
    const brotli = {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    };
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, brotli));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** What the shell's page loads: a prerendered page fetches it when idle (web/app/shell/prerender). */
function laterFiles(shell: { type: string; source?: unknown } | undefined): string {
  const html = typeof shell?.source === "string" ? shell.source : "";
  const found = html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g);
  return [...found].map((address) => address[1]).join(" ");
}

/** A module with all that it imports in one file: a prerendered page asks for nothing else. */
async function wholeScript(script: string, config: ResolvedConfig) {
  const built = await build({
    root: config.root,
    configFile: false,
    publicDir: false,
    plugins: [withoutSchemas(), withConstants()],
    logLevel: "error",
    build: {
      write: false,
      target: config.build.target,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(config.root, script),
        output: { codeSplitting: false },
      },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  return outputs
    .flatMap((output) => ("output" in output ? output.output : []))
    .map((file) => ({
      fileName: file.fileName,
      source: file.type === "chunk" ? file.code : file.source,
    }));
}

/** Writes `pages.json` (which page a path opens, and under which policy) and the `.br` and `.gz`. */
export function seal(): Plugin {
  let folder = "";
  let config: ResolvedConfig;
  return {
    name: "ma-carte-seal",
    apply: "build",
    enforce: "post",
    configResolved(resolved) {
      config = resolved;
      folder = resolved.build.outDir;
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        for (const page of pages.filter(({ script }) => script)) {
          const html = bundle[page.file];
          if (html?.type !== "asset") continue;
          const files = await wholeScript(page.script as string, config);
          for (const file of files) {
            if (!bundle[file.fileName]) this.emitFile({ type: "asset", ...file });
          }
          const script = files.find(({ fileName }) => fileName.endsWith(".js"))?.fileName;
          const head =
            `<script type="module" src="/${script}"></script>` +
            `<meta name="later" content="${laterFiles(bundle["index.html"])}"></head>`;
          html.source = String(html.source).replace("</head>", () => head);
        }
      },
    },
    // After every other plugin, the service worker's included.
    closeBundle: {
      order: "post",
      sequential: true,
      handler() {
        const files = readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
        const built = pages.filter((page) => files.includes(page.file));
        const csp = Object.fromEntries(
          built.map((page) => [page.file, policyOf(readFileSync(join(folder, page.file), "utf8"))]),
        );
        const paths = Object.fromEntries(
          built.flatMap((page) => page.paths.map((path) => [path, page.file])),
        );
        compress(folder, files);
        writeFileSync(join(folder, "pages.json"), JSON.stringify({ csp, pages: paths }, null, 2));
        weigh(folder, config.mode === whyMode);
      },
    },
  };
}
