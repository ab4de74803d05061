// Addresses of the screen of grants: the list, a new one, one of them.
const base = "/professional/dotations";

export const grantPath = (id: string): string => `${base}?dotation=${id}`;
export const newGrantPath = `${base}?nouvelle=1`;
export const grantsPath = base;
