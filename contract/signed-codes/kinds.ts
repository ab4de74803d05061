// Kinds of signed QR codes. A new kind is a new line: its tokens, their verification and their revocation
// follow.

/** Each kind with the mark that its tokens begin with. */
export const codeKinds = {
  card: "MC1.",
  meal: "MM1.",
  pass: "MP1.",
  ticket: "MT1.",
} as const satisfies Record<string, `M${string}1.`>;

export type CodeKind = keyof typeof codeKinds;

/** Prefix of the signed text of a kind: a code of one kind is never valid as another. */
export const codePurpose = (kind: CodeKind): string => `ma-carte ${kind} 1\0`;

/** The same for the list of revocations. */
export const revocationsPurpose = "ma-carte revocations 1\0";
