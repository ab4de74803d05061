/** « 02 98 00 01 01 » for a French number, as it is for others. */
export function phoneText(phone: string): string {
  const digits = /^\+33(\d{9})$/.exec(phone)?.[1];
  return digits ? `0${digits}`.replaceAll(/(\d\d)(?=\d)/g, "$1 ") : phone;
}
