// The browser reads the contract for its methods, paths and time-outs, and never validates: the
// server does. So the build leaves schemas and descriptions out of the bundle, 10 KB that every visit
// would pay.
import { join } from "node:path";
import type { Plugin } from "vite";
import { isNode, type Node } from "./syntax.ts";

const stand = join(import.meta.dirname, "no-schemas.ts");
const library = 'import * as z from "zod/mini";';
/** Properties of a row that the browser never reads. */
const unread = new Set([
  "summary",
  "source",
  "input",
  "output",
  "problems",
  "right",
  "of",
  "rate",
  "body",
]);

/** The browser asks only whether a row is public: whoever else may call it is the server's to know. */
const isRestriction = (property: Node): boolean =>
  (property["key"] as { name?: string } | undefined)?.name === "access" &&
  (property["value"] as { value?: unknown }).value !== "public";

/** Spans of the properties that may go from the objects that are rows: those with a method and path. */
function unreadSpans(node: Node, found: [number, number][] = []): [number, number][] {
  const properties = node.type === "ObjectExpression" ? (node["properties"] as Node[]) : [];
  const nameOf = (property: Node) => (property["key"] as { name?: string } | undefined)?.name ?? "";
  const names = new Set(properties.map(nameOf));
  if (names.has("method") && names.has("path")) {
    for (const property of properties) {
      if (unread.has(nameOf(property)) || isRestriction(property))
        found.push([property.start, property.end]);
    }
    return found;
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) unreadSpans(child, found);
    }
  }
  return found;
}

/** Contract files without their schemas; the types are gone by then, the rows stay. */
export function withoutSchemas(): Plugin {
  return {
    name: "ma-carte-without-schemas",
    apply: "build",
    config: () => ({
      // What is built of schemas and left unread goes with them.
      build: { rolldownOptions: { treeshake: { manualPureFunctions: ["z", "c"] } } },
    }),
    transform: {
      // After the types are gone.
      order: "post",
      filter: { id: /\/contract\/[a-z-/]+\.ts$/ },
      handler(code) {
        let output = code;
        for (const [start, end] of unreadSpans(this.parse(code) as unknown as Node).toReversed()) {
          const comma = /^\s*,/.exec(output.slice(end))?.[0].length ?? 0;
          output = output.slice(0, start) + output.slice(end + comma);
        }
        const from = JSON.stringify(stand);
        return { code: output.replace(library, () => `import { z } from ${from};`), map: null };
      },
    },
  };
}
