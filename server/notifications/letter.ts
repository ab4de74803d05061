// The one template of messages: a letter becomes an e-mail in text and HTML, or a short SMS. The HTML loads
// nothing and tracks nobody; it has no images.
import { capital } from "#contract/french.ts";
import { inkColours } from "#contract/motif.ts";
import { spelled } from "#contract/limits.ts";
import type { Config } from "#server/process/config.ts";
import { escapeHtml } from "#server/http/document.ts";

export interface Letter {
  subject: string;
  /** Recipient, as in « Bonjour Camille Moreau »; omitted for an unknown name. */
  name?: string;
  /** Whole sentences. */
  body: string;
  /** Another paragraph: what to do if it was someone else, what the facts do not state. */
  note?: string;
  /** Lines of a receipt: « Montant : 20,00 € ». */
  facts?: readonly string[];
  /** Six digits, shown large; the body says them too. */
  code?: string;
  /** The requested action. `path` begins with "/"; an SMS has its address too. */
  action?: { label: string; path: string };
  /** Path of the page that the letter is about, where nothing is asked. */
  path?: string;
  /** Label of the button to `path`. */
  pathLabel?: string;
}

type Settings = Pick<Config, "publicUrl" | "supportPhone" | "supportEmail">;

/** « Ma carte. », the body and, where an action is requested, its address. */
export function smsOf({ publicUrl }: Settings, letter: Letter): string {
  const { body, note, code } = letter;
  const action = letter.action && linkOf(letter);
  const address = action && `${action.label} : ${publicUrl}${action.path}`;
  // A code comes first, where phones detect it.
  return [code ? null : "Ma carte.", body, note, address].filter(Boolean).join(" ");
}

function linkOf({ action, path, pathLabel = "Ouvrir Ma carte" }: Letter) {
  const link = action ?? (path === undefined ? null : { label: pathLabel, path });
  return link && { ...link, path: link.path.replace(spelled.path, spelled.alias) };
}

function supportLine({ supportPhone, supportEmail }: Settings): string | null {
  const ways = [
    supportPhone && `appelez le ${supportPhone.replaceAll(" ", "\u00a0")}`,
    supportEmail && `écrivez à ${supportEmail}`,
  ].filter(Boolean);
  return ways.length > 0 ? `Une question ? ${capital(ways.join(" ou "))}.` : null;
}

const greeting = ({ name }: Letter) => (name ? `Bonjour ${name},` : "Bonjour,");

/** The text part of an e-mail: the whole content of the HTML. */
export function emailText(settings: Settings, letter: Letter): string {
  const link = linkOf(letter);
  const parts = [
    greeting(letter),
    letter.body,
    letter.note,
    letter.facts?.join("\n"),
    link && `${link.label} :\n${settings.publicUrl}${link.path}`,
    supportLine(settings),
    `Ma carte\n${settings.publicUrl}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

// Mail readers ignore style sheets that they do not know and obey attributes: light colours are
// inline, dark ones in a style element for the readers that have a dark theme.
const dark = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background-color:#07171d!important}.sheet{background-color:#0e242c!important;border-color:#1f3c46!important}
.ink{color:#e8f1ef!important}.soft{color:#a9c1c4!important}.link{color:#83d6d8!important}
.sunken{background-color:#0a1e25!important}
}`;
const fonts = "font-family:Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const paragraph = (text: string, style = "margin:0 0 16px") =>
  `<p class="ink" style="${style};color:#0a2e38;font-size:16px;line-height:24px">${escapeHtml(text).replaceAll("\n", "<br />")}</p>`;

const { from, to } = inkColours.lagoon;
const cardBand = `<tr><td bgcolor="${to}" style="padding:20px 24px;background-color:${to};background-image:linear-gradient(128deg,${from},${to});border-radius:20px 20px 0 0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td style="color:#fdf6e9;font-size:20px;line-height:28px;font-weight:800;letter-spacing:-0.8px">Ma carte</td>
<td align="right"><div style="width:36px;height:26px;border-radius:6px;background-color:#ff7a5a;font-size:0;line-height:0">&#160;</div></td>
</tr></table></td></tr>`;

function button(href: string, label: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td bgcolor="#ff7a5a" style="background-color:#ff7a5a;border-radius:12px">
<a href="${escapeHtml(href)}" target="_blank" style="display:inline-block;padding:12px 24px;color:#06222b;font-size:16px;line-height:24px;font-weight:700;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;
}

function factsTable(facts: readonly string[]): string {
  const rows = facts.map((fact) => {
    const cut = fact.indexOf(" : ");
    const [name, value] = cut < 0 ? [fact, ""] : [fact.slice(0, cut), fact.slice(cut + 3)];
    return `<tr><td class="soft" valign="top" style="padding:6px 16px 6px 0;color:#45606a;font-size:15px;line-height:22px">${escapeHtml(name)}</td>
<td class="ink" valign="top" align="right" style="padding:6px 0;color:#0a2e38;font-size:15px;line-height:22px;word-break:break-word">${escapeHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${rows.join("\n")}</table>`;
}

const codeBox = (code: string) =>
  `<p class="sunken ink" style="margin:0 0 16px;padding:16px;border-radius:12px;background-color:#efe7d7;color:#06222b;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px;text-align:center">${escapeHtml(code)}</p>`;

/** The HTML part of an e-mail: tables and inline style, which every mail reader draws. */
export function emailHtml(settings: Settings, letter: Letter): string {
  const link = linkOf(letter);
  const support = supportLine(settings);
  const parts = [
    paragraph(greeting(letter)),
    letter.code && codeBox(letter.code),
    paragraph(letter.body),
    letter.note && paragraph(letter.note),
    letter.facts && factsTable(letter.facts),
    link && button(settings.publicUrl + link.path, link.label),
    support && paragraph(support, "margin:0"),
  ];
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="supported-color-schemes" content="light dark" />
<title>${escapeHtml(letter.subject)}</title><style>${dark}</style></head>
<body class="ground" style="margin:0;padding:0;background-color:#f7f1e6">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(letter.body.slice(0, 120))}</div>
<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f7f1e6" style="background-color:#f7f1e6"><tr><td align="center" style="padding:24px 12px;${fonts}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
${cardBand}
<tr><td class="sheet" bgcolor="#fffdf8" style="padding:28px 24px;background-color:#fffdf8;border:1px solid #e3d9c6;border-top:0;border-radius:0 0 20px 20px">
<h1 class="ink" style="margin:0 0 16px;color:#0a2e38;font-size:22px;line-height:30px">${escapeHtml(letter.subject)}</h1>
${parts.filter(Boolean).join("\n")}
</td></tr>
<tr><td class="soft" style="padding:16px 24px;color:#45606a;font-size:13px;line-height:20px;text-align:center">Message automatique du portail <a class="link" href="${escapeHtml(settings.publicUrl)}" target="_blank" style="color:#0b5e6e">Ma carte</a>. Il ne contient aucun traceur.</td></tr>
</table></td></tr></table></body></html>
`;
}
