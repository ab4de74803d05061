// Names that go into messages of Ma carte to addresses that somebody else typed.

/**
 * Whether a name is no more than a name: at least one letter, and nothing that a reader or a mail program
 * takes for an address (`/`, `:`, `@`, a dot before two letters), in whatever width it is written.
 */
export function isPlainName(typed: string): boolean {
  const name = typed.normalize("NFKC");
  return (
    /\p{L}/u.test(name) && !/[/:@\u2044\u2215\u3002]|[\p{L}\p{N}]\.[\p{L}\p{N}]{2}/u.test(name)
  );
}
