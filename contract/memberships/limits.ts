// Constants of memberships.
export const memberships = {
  /** A draft that nobody touched for so long is deleted with its documents. */
  draftDays: 60,
  /** Documents are deleted so long after the decision. */
  documentDays: 60,
  /** A request that was refused is deleted so long after the decision. */
  refusedDays: 396,
  /** Requests and answers sent by one person. */
  submitsPerHour: 10,
  answerDocuments: 5,
} as const;
