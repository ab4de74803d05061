// Stands for `zod/mini` in the browser's bundle: whatever is built with it is nothing, and whoever
// tried to validate with it would be told.

const refuse = (): never => {
  throw new Error("Schemas are left out of the browser's bundle: the server validates.");
};

export const z: unknown = new Proxy(() => z, {
  get: (_target, name) => (name === "parse" || name === "safeParse" ? refuse : z),
  apply: () => z,
});
