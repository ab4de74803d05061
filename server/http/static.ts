// The web build: precompressed files with their hash in the name, cached forever, and pages with the policy
// of the build.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { Problem } from "#contract/errors.ts";
import { plainPath } from "#contract/local-path.ts";
import { isPage } from "./page-address.ts";

/** Pages that the build prerenders beside the shell, by path; all others get the shell. */
interface Build {
  /** Content-Security-Policy of each page file, written by the build. */
  csp: Record<string, string>;
  /** Path of the portal → page file, for the prerendered ones. */
  pages: Record<string, string>;
}

/**
 * Serves `dist/`; without a build, only the API answers and pages say so. The gallery of components
 * (`/test/ui`) is a page of development and of the demo: elsewhere it is not there.
 */
export async function serveWeb(
  app: FastifyInstance,
  dist: string,
  { gallery }: { gallery: boolean },
): Promise<void> {
  const manifest = join(dist, "pages.json");
  if (!existsSync(manifest)) {
    app.setNotFoundHandler(() => {
      throw new Problem("not_found");
    });
    return;
  }
  const build = JSON.parse(readFileSync(manifest, "utf8")) as Build;
  if (!gallery) delete build.pages["/test/ui"];
  await app.register(fastifyStatic, {
    root: dist,
    preCompressed: true,
    // The files are listed below: the library's own search takes longer.
    serve: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes("/assets/");
      reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      // A worker obeys the policy of its own file: this one fetches the front end, and runs no script.
      if (/\/sw\.js(?:\.\w+)?$/.test(path)) {
        reply.header("content-security-policy", "default-src 'none'; connect-src 'self'");
      }
    },
  });
  for (const folder of gallery ? ["", "test/"] : [""]) serveEach(app, dist, folder);
  serveAssets(app, join(dist, "assets"));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] ?? "/";
    if (!isPage(request.method, path)) throw new Problem("not_found");
    const plain = plainPath(path);
    if (plain !== path) {
      reply.header("cache-control", "no-cache");
      return reply.redirect(plain + request.url.slice(path.length), 308);
    }
    const page = build.pages[path.toLowerCase()] ?? "index.html";
    reply.header("content-security-policy", build.csp[page] ?? "default-src 'none'");
    return reply.sendFile(page);
  });
}

/** Files that can be requested; compressed copies and the server's own files are excluded. */
const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && !/^\.|\.(?:json|br|gz)$/.test(entry.name))
        .map(({ name }) => name)
    : [];

function serveEach(app: FastifyInstance, dist: string, folder: string): void {
  for (const name of namesIn(join(dist, folder)))
    app.get(`/${folder}${name}`, (_request, reply) => reply.sendFile(folder + name));
}

/** One route for the hundreds of hashed files: a route each takes a tenth of the start. */
function serveAssets(app: FastifyInstance, folder: string): void {
  const names = new Set(namesIn(folder));
  app.get<{ Params: { name: string } }>("/assets/:name", (request, reply) => {
    const { name } = request.params;
    return names.has(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound();
  });
}
