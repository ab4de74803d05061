/** A number of the command line: no less than `min`, which also stands for what is no number, and no more than `max`. */
export const boundedNumber = (text: string | undefined, min: number, max: number): number =>
  Math.min(max, Math.max(min, Number(text) || min));
