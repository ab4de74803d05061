// The sizes of the form inside `npm test`.
export const quick = {
  n: 80,
  /** Drawing a PDF takes as long as fifty other answers: of these a quarter. */
  pdf: 20,
  sockets: { slow: 60, wait: false },
} as const;
