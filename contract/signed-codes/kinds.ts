// What a signed QR code can stand for. A new kind is a new line: its tokens, their verification and
// their revocation follow.

/** Each kind with the mark that its tokens begin with. */
export const codeKinds = {
  card: "MC1.",
  meal: "MM1.",
  pass: "MP1.",
  ticket: "MT1.",
} as const satisfies Record<string, `M${string}1.`>;

export type CodeKind = keyof typeof codeKinds;

/** What is signed for a kind begins with this text: a code of one kind is never one of another. */
export const codePurpose = (kind: CodeKind): string => `ma-carte ${kind} 1\0`;

/** The same for the list of revocations. */
export const revocationsPurpose = "ma-carte revocations 1\0";
