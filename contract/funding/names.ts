// Names and words that go into messages and pages of Ma carte that strangers read.

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

/** Letters of a word on a relative's page. */
export const giftWordMax = 140;

/**
 * Whether a text is no more than words: no address, link, bank account or telephone number in it, in whatever width
 * it is written.
 */
export function isPlainText(typed: string): boolean {
  const text = typed.normalize("NFKC");
  return !/[@\u2044\u2215\u3002]|\/\/|[\p{L}\p{N}]\.[\p{L}\p{N}]{2}|(?:\p{N}[\s.\-/]*){8}/u.test(
    text,
  );
}
