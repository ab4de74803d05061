/** A number of the command line: no less than `least`, which also stands for what is no number, and no more than `most`. */
export const boundedNumber = (text: string | undefined, least: number, most: number): number =>
  Math.min(most, Math.max(least, Number(text) || least));
