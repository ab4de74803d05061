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

interface Served {
  /** The gallery of components (`/test/ui`): a page of development and of the demo, elsewhere not there. */
  gallery: boolean;
  /** The one other origin whose images the portal shows; null where it shows its own alone. */
  imagesFrom: string | null;
}

/** A worker obeys the policy of its own file: this one fetches the front end, and runs no script. */
const workerFile = "sw.js";
const workerPolicy = "default-src 'none'; connect-src 'self'";

/** Serves `dist/`; without a build, only the API answers and pages say so. */
export async function serveWeb(
  app: FastifyInstance,
  dist: string,
  { gallery, imagesFrom }: Served,
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
  if (imagesFrom !== null) {
    build.csp["index.html"] = withImages(build.csp["index.html"] ?? "", imagesFrom);
    serveWorker(app, dist, imagesFrom);
  }
  await app.register(fastifyStatic, {
    root: dist,
    preCompressed: true,
    // The files are listed below: the library's own search takes longer.
    serve: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes("/assets/");
      reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      if (/\/sw\.js(?:\.\w+)?$/.test(path)) {
        reply.header("content-security-policy", workerPolicy);
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

const withImages = (policy: string, origin: string): string =>
  policy.replace(/(?<=^|; )img-src [^;]*/, (own) => `${own} ${origin}`);

/**
 * Browsers keep the pages with their policy as long as this file is the same: it names what the policy allows
 * beyond the build's, so that a changed setting reaches them.
 */
function serveWorker(app: FastifyInstance, dist: string, imagesFrom: string): void {
  const path = join(dist, workerFile);
  if (!existsSync(path)) return;
  const script = `${readFileSync(path, "utf8")}\n// img-src ${imagesFrom}\n`;
  app.get(`/${workerFile}`, (_request, reply) =>
    reply
      .header("cache-control", "no-cache")
      .header("content-security-policy", workerPolicy)
      .type("text/javascript; charset=utf-8")
      .send(script),
  );
}

/** Files that can be requested; compressed copies and the server's own files are excluded. */
const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && !/^\.|\.(?:json|br|gz)$/.test(entry.name))
        .map(({ name }) => name)
    : [];

function serveEach(app: FastifyInstance, dist: string, folder: string): void {
  for (const name of namesIn(join(dist, folder)).filter(
    (one) => !app.hasRoute({ method: "GET", url: `/${folder}${one}` }),
  ))
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
