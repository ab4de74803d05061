// XML of electronic invoices: elements with attributes, text escaped, nothing for what is absent.

/** Text or child elements; null, false and empty lists leave nothing. */
type Content = string | null | false | Content[];

/** Characters that XML 1.0 cannot contain. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes text for an element or an attribute. */
export const xmlText = (text: string): string =>
  text.replaceAll(forbidden, "").replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** An element; its content is made by `text` and `element`. */
export function element(
  name: string,
  content: Content,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(value)}"`);
  return `<${name}${pairs.join("")}>${flat(content)}</${name}>`;
}

const flat = (content: Content): string => {
  if (Array.isArray(content)) return content.map(flat).join("");
  return content === null || content === false ? "" : content;
};

/** An element of text; null where there is none. */
export const leaf = (
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string>> = {},
): string | null => (text === null ? null : element(name, xmlText(text), attributes));

/** Cents as a decimal number with a point. */
export const decimalOf = (cents: number): string => (cents / 100).toFixed(2);

/** Basis points as a percentage: 550 is « 5.50 ». */
export const percentOf = (basisPoints: number): string => (basisPoints / 100).toFixed(2);

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>';
