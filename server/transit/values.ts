// Values of a feed, parsed with the tolerance that real feeds need; null when they are invalid.
import { plainText } from "#contract/plain-text.ts";
import { transit as limits } from "#contract/limits.ts";

/** « 8:05:00 », « 25:10:00 » as seconds since the start of the service day. */
export function timeIn(text: string): number | null {
  const found = /^(\d{1,3}):(\d\d)(?::(\d\d))?$/.exec(text);
  if (!found) return null;
  const [, hours, minutes, seconds] = found;
  const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0);
  const inside = Number(minutes) < 60 && Number(seconds ?? 0) < 60;
  return inside && time < limits.latestHours * 3600 ? time : null;
}

/** « 20261121 » as « 2026-11-21 ». */
export function dayIn(text: string): string | null {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text);
  if (!found) return null;
  const day = `${found[1]}-${found[2]}-${found[3]}`;
  const date = new Date(`${day}T00:00:00Z`);
  const real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  return real && day >= "1990" && day < "2200" ? day : null;
}

/** A position on earth; 0, 0 is what feeds write for an unknown one. */
export function positionIn(lat: string, lon: string): [number, number] | null {
  const [y, x] = [Number(lat), Number(lon)];
  if (lat === "" || lon === "" || !Number.isFinite(y) || !Number.isFinite(x)) return null;
  if (Math.abs(y) > 90 || Math.abs(x) > 180 || (y === 0 && x === 0)) return null;
  return [y, x];
}

/** An id of the feed; null when it is empty, too long or has control or replacement characters. */
export const idIn = (text: string): string | null =>
  text !== "" && text.length <= limits.idLength && !/[\p{Cc}\ufffd]/u.test(text) ? text : null;

/** A name for display: one line, no longer than the screens allow. */
export const nameIn = (text: string): string =>
  plainText(text).replaceAll(/\s+/g, " ").trim().slice(0, limits.textLength);

/** A whole number of at most nine digits. */
export const countIn = (text: string): number | null =>
  /^\d{1,9}$/.test(text) ? Number(text) : null;

/** Six hexadecimal digits in lower case, with or without their #. */
export const colorIn = (text: string): string | null =>
  /^#?([0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase() ?? null;

const readable = 4.5;
const black = "000000";
/** White, the portal's ink, and black: on any colour one of them is readable. */
const texts = ["ffffff", "06222b", black];

/** The text colour of a line: the feed's when it is readable on `color`, else the first that is. */
export function textColorOn(color: string, preferred: string | null): string {
  const tried = preferred ? [preferred, ...texts] : texts;
  return tried.find((text) => contrast(color, text) >= readable) ?? black;
}

/** Contrast of two colours by WCAG 2, 1 to 21. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
