// Writes prerendered pages into their HTML at build (and at each request of the development server).
import { join } from "node:path";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type Plugin, runnerImport } from "vite";
import { pages } from "./pages.ts";

const root = join(import.meta.dirname, "..");

// The page's styles are inlined by its own HTML; what its components import is left out here.
const withoutStyles: Plugin = {
  name: "ma-carte-without-styles",
  enforce: "pre",
  resolveId: (id) => (id.endsWith(".css") ? "\0no-style" : null),
  load: (id) => (id === "\0no-style" ? "" : null),
};

const scriptTag = (src: string) => ({
  tag: "script",
  attrs: { type: "module", src },
  injectTo: "head" as const,
});

/** `<!--prerender-->` of a page becomes the markup of its module's `page()`. */
export function prerender(): Plugin {
  return {
    name: "ma-carte-prerender",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = request.url?.split("?")[0]?.toLowerCase();
        const page = pages.find((candidate) => candidate.paths.includes(path ?? ""));
        if (page) request.url = `/${page.file}`;
        next();
      });
    },
    transformIndexHtml: {
      order: "pre",
      async handler(html, context) {
        const page = pages.find((candidate) => context.filename.endsWith(`/${candidate.file}`));
        if (!page?.prerender) return html;
        const { module } = await runnerImport<{ page: () => ReactNode }>(
          join(root, page.prerender),
          { root, configFile: false, logLevel: "error", plugins: [withoutStyles] },
        );
        const markup = renderToStaticMarkup(module.page());
        if (markup.includes("style=")) throw new Error(`${page.file}: a style attribute (CSP)`);
        const whole = html.replace("<!--prerender-->", () => markup);
        if (!page.script || !context.server) return whole;
        return { html: whole, tags: [scriptTag(`/${page.script}`)] };
      },
    },
  };
}
