// Preloads the portal's files beside the small script that starts it (web/first.ts), not after it.
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

const portal = "/web/main.tsx";

export function preloadMain(): Plugin {
  return {
    name: "ma-carte-preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle, filename }) {
        if (!bundle || !filename.endsWith("/web/index.html")) return undefined;
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(portal));
        if (!start) throw new Error(`The build has no file of ${portal}.`);
        const files = withImports(start, bundle);
        const styles = files.flatMap((file) => [...(file.viteMetadata?.importedCss ?? [])]);
        return [
          ...files.map(({ fileName }) => link("modulepreload", fileName)),
          ...styles.map((name) => link("stylesheet", name)),
        ].filter(({ attrs }) => !html.includes(String(attrs?.["href"])));
      },
    },
  };
}

const link = (rel: string, file: string): HtmlTagDescriptor => ({
  tag: "link",
  attrs: { rel, crossorigin: true, href: `/${file}` },
  injectTo: "head",
});

/** A file with all that it imports at once. */
function withImports(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  seen = new Set<Rolldown.OutputChunk>(),
): Rolldown.OutputChunk[] {
  if (seen.has(chunk)) return [];
  seen.add(chunk);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === "chunk") withImports(imported, bundle, seen);
  }
  return [...seen];
}
