// `contract/limits.ts` holds the constants of the whole portal in a few objects and `contract/paths.ts` its addresses,
// and a file that reads one of them would carry its object whole. So the build writes the constants themselves where
// they are read.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import { isNode, type Node } from "./syntax.ts";

const files = ["limits", "paths"].map((name) =>
  join(import.meta.dirname, "..", "..", "contract", `${name}.ts`),
);
const library =
  /import \{([^}]*)\} from ["'](?:#contract|[^"']*\/contract|\.{1,2})\/(?:limits|paths)\.ts["']/;

/** Where a name stands: as the object of `name.property`, or anywhere else. */
interface Uses {
  read: { node: Node; property: string }[];
  other: number;
}

/** How the names of an import are used. One that is declared again, or handed on whole, has other uses. */
function usesOf(program: Node, names: ReadonlySet<string>): Map<string, Uses> {
  const found = new Map<string, Uses>([...names].map((name) => [name, { read: [], other: 0 }]));
  const walk = (node: Node): void => {
    if (node.type === "ImportDeclaration") return;
    const object = node["object"] as { type: string; name?: string } | undefined;
    if (node.type === "MemberExpression" && !node["computed"] && object?.type === "Identifier") {
      const property = (node["property"] as { name: string }).name;
      found.get(object.name ?? "")?.read.push({ node, property });
      return;
    }
    // The name of a property is not a use of a constant of the same name.
    const named = { MemberExpression: "property", Property: "key" }[node.type];
    const inner = Object.entries(node).filter(([part]) => node["computed"] || part !== named);
    if (node.type === "Identifier") {
      const uses = found.get(String(node["name"]));
      if (uses) uses.other += 1;
    }
    for (const [, value] of inner) {
      for (const child of [value].flat<unknown[]>()) if (isNode(child)) walk(child);
    }
  };
  walk(program);
  return found;
}

/** Lists too: no reader changes them. */
const isConstant = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isConstant)
    : ["string", "number", "boolean"].includes(typeof value);

export function withConstants(): Plugin {
  const known: Record<string, Record<string, unknown>> = {};
  return {
    name: "ma-carte-constants",
    apply: "build",
    async buildStart() {
      for (const file of files) {
        Object.assign(known, (await import(pathToFileURL(file).href)) as typeof known);
      }
    },
    transform: {
      // After the types are gone.
      order: "post",
      filter: { id: /\/(?:web|contract)\/.*\.tsx?$/, code: library },
      handler(code) {
        const imported = [...code.matchAll(new RegExp(library, "g"))].flatMap(([, listed = ""]) =>
          listed.split(",").map((one) => one.trim().split(" as ")),
        );
        const exportOf = new Map(imported.map(([name = "", local = name]) => [local, name]));
        const uses = usesOf(this.parse(code) as unknown as Node, new Set(exportOf.keys()));
        const places = [...uses]
          .filter(([, { other }]) => other === 0)
          .flatMap(([local, { read }]) =>
            read.map(({ node, property }) => ({
              ...node,
              value: known[exportOf.get(local) ?? ""]?.[property],
            })),
          )
          .filter(({ value }) => isConstant(value))
          .toSorted((one, other) => other.start - one.start);
        let written = code;
        for (const { start, end, value } of places) {
          written = `${written.slice(0, start)}(${JSON.stringify(value)})${written.slice(end)}`;
        }
        return { code: written, map: null };
      },
    },
  };
}
