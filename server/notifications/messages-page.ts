// The page of stored messages: in demo mode, those that would have left by e-mail or SMS.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Deps } from "#server/process/deps.ts";
import { escapeHtml, html, type Document } from "#server/http/document.ts";

const maxMessages = 50;

const style = `
:root{color-scheme:light dark;--ink:light-dark(#0a2e38,#e8f1ef);--soft:light-dark(#45606a,#a9c1c4);
--ground:light-dark(#f7f1e6,#07171d);--surface:light-dark(#fffdf8,#0e242c);
--line:light-dark(#e3d9c6,#1f3c46);--lagoon:light-dark(#0b5e6e,#83d6d8);
--wash:light-dark(#fbebc8,#382909);--warn:light-dark(#744700,#f4c56f)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:42rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.625rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.01em}
.note{margin:0 0 1.5rem;padding:.75rem 1rem;border-radius:12px;background:var(--wash);
color:var(--warn)}
ol{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
li,.none{background:var(--surface);border:1px solid var(--line);border-radius:16px;padding:1rem}
h2{font-size:1.0625rem;margin:0 0 .25rem}
.to{margin:0 0 .75rem;color:var(--soft);font-size:.9375rem;overflow-wrap:anywhere}
.to b{color:var(--lagoon);font-weight:600}
.text{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
details{margin-top:.75rem}summary{min-height:44px;display:flex;align-items:center;cursor:pointer;
color:var(--lagoon);font-weight:600}summary:focus-visible{outline:3px solid var(--lagoon)}
iframe{display:block;width:100%;height:36rem;border:1px solid var(--line);border-radius:12px}
a{color:var(--lagoon)}a:focus-visible{outline:3px solid var(--lagoon);outline-offset:2px}
`;
const styleHash = createHash("sha256").update(style).digest("base64");
const policy =
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; ` +
  "frame-src 'self'; frame-ancestors 'none'";
/** Policy of a stored e-mail: inline style and nothing else; it is framed by the page above. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

const channelNames = { email: "E-mail", sms: "SMS" } as const;

// Closed and lazy: the page loads the HTML of the messages that someone opens, no other.
const framed = (id: number, subject: string) =>
  `<details><summary>L'e-mail mis en page</summary>
<iframe src="/demo/messages/${id}" title="E-mail : ${escapeHtml(subject)}" loading="lazy"
sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe></details>`;

/** The HTML of one stored e-mail; `not_found` outside demo mode, and for a message without one. */
export async function messageHtml(deps: Deps, id: number): Promise<Document> {
  const message = deps.config.demo
    ? await deps.db.selectFrom("outbox").select("html").where("id", "=", id).executeTakeFirst()
    : undefined;
  if (!message?.html) throw new Problem("not_found");
  return html(message.html, { headers: { "content-security-policy": mailPolicy } });
}

/** The latest 50 messages, newest first; `not_found` outside demo mode (spec.md 20). */
export async function messagesPage(deps: Deps): Promise<Document> {
  if (!deps.config.demo) throw new Problem("not_found");
  const messages = await deps.db
    .selectFrom("outbox")
    .select(["id", "channel", "address", "subject", "body"])
    .select(sql<boolean>`html is not null`.as("drawn"))
    .select(
      sql<string | null>`(select string_agg(file->>'filename', ', ')
        from jsonb_array_elements(attachments) file)`.as("files"),
    )
    .select(sql<string>`to_char(created_at at time zone 'Europe/Paris', 'DD/MM/YYYY')`.as("day"))
    .select(sql<string>`to_char(created_at at time zone 'Europe/Paris', 'HH24:MI')`.as("hour"))
    .orderBy("id", "desc")
    .limit(maxMessages)
    .execute();
  const items = messages.map(
    (message) => `<li><h2>${escapeHtml(message.subject)}</h2>
<p class="to"><b>${channelNames[message.channel]}</b> à ${escapeHtml(message.address)},
le ${message.day} à ${message.hour}</p>
<p class="text">${escapeHtml(message.body || "Contenu effacé après l'envoi.")}</p>
${message.files === null ? "" : `<p class="to">Pièces jointes : ${escapeHtml(message.files)}</p>`}
${message.drawn ? framed(message.id, message.subject) : ""}</li>`,
  );
  const list =
    items.length > 0
      ? `<ol>${items.join("\n")}</ol>`
      : `<p class="none">Aucun message pour le moment. Demandez un code, puis rechargez cette page.</p>`;
  return html(
    `<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Messages gardés — Ma carte</title><style>${style}</style></head>
<body><main><h1>Messages gardés</h1>
<p class="note">Mode démonstration : aucun e-mail ni SMS ne part. Voici ce qui aurait été envoyé,
le plus récent d'abord. <a href="/demo/messages">Actualiser</a></p>
${list}</main></body></html>`,
    { headers: { "content-security-policy": policy } },
  );
}
