// The sandbox's payment page, as a provider would draw it: its own style, no script, its own policy.
import { createHash } from "node:crypto";
import { formatMoney } from "#contract/french.ts";
import type { SandboxOutcome } from "#contract/payments/rows.ts";
import { referenceOf } from "#contract/reference.ts";
import { type Document, escapeHtml, html } from "../http/document.ts";
import type { SandboxCharge } from "./sandbox.ts";

const style = `
:root{color-scheme:light dark;--ink:light-dark(#1c1a33,#ecebf7);--soft:light-dark(#565372,#b3b0cc);
--ground:light-dark(#eeedf6,#121120);--paper:light-dark(#fff,#1c1b2e);--line:light-dark(#cfcde2,#3a3856);
--go:light-dark(#3d2fa8,#b9b0ff);--on-go:light-dark(#fff,#15132b);--warn:light-dark(#fdf0cd,#3a2e0d);
--on-warn:light-dark(#5c4000,#f6d58a)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif;display:grid;grid-template-columns:minmax(0,1fr);place-items:start center;padding:16px}
main{width:100%;max-width:27rem;background:var(--paper);border:1px solid var(--line);
border-radius:18px;padding:24px;margin-block:auto}
.mode{background:var(--warn);color:var(--on-warn);border-radius:10px;padding:10px 14px;margin:0 0 1.5rem;
font-weight:600}
h1{font-size:1rem;font-weight:500;color:var(--soft);margin:0}
.amount{font-size:min(2.6rem,14vw);font-weight:700;line-height:1.1;margin:.2rem 0;font-variant-numeric:tabular-nums}
.ref{color:var(--soft);font-size:.875rem;margin:0 0 1.5rem;overflow-wrap:anywhere}
h2{font-size:.875rem;color:var(--soft);margin:1.75rem 0 .6rem;font-weight:600}
form{display:grid;gap:.6rem}
button,a.go{font:inherit;font-weight:600;min-height:48px;border-radius:12px;border:1px solid var(--line);
background:transparent;color:var(--ink);padding:10px 12px;text-align:start;cursor:pointer;text-decoration:none}
label.keep{display:flex;gap:.6rem;align-items:start;min-height:44px;font-size:.9375rem}
label.keep input{flex:none;width:1.4rem;height:1.4rem;accent-color:var(--go)}
button small{display:block;font-weight:400;font-size:.8125rem;color:var(--soft)}
button.go,a.go{background:var(--go);border-color:var(--go);color:var(--on-go);text-align:center;display:block}
button:hover{border-color:var(--go)}
:focus-visible{outline:3px solid var(--go);outline-offset:3px}
`;
const hash = createHash("sha256").update(style).digest("base64");
const policy =
  `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; ` +
  "frame-ancestors 'none'";

interface Button {
  outcome: SandboxOutcome;
  label: string;
  hint?: string;
}

const rare: readonly Button[] = [
  {
    outcome: "pending",
    label: "Laisser en attente",
    hint: "Autorisé maintenant, payé dans 20 secondes",
  },
  { outcome: "late", label: "Payer, réponse en retard", hint: "Payé, annoncé dans 20 secondes" },
  {
    outcome: "duplicate",
    label: "Payer, annonce en doublon",
    hint: "Le même message envoyé trois fois",
  },
  {
    outcome: "dispute",
    label: "Payer, puis litige",
    hint: "Contesté à la banque 20 secondes après",
  },
];

const refusing: Button = {
  outcome: "refuse_later",
  label: "Payer, puis refuser la suite",
  hint: "Payé maintenant\u202f; chaque recharge automatique sera refusée",
};

const consent =
  '<label class="keep"><input type="checkbox" name="keep" value="1"> Garder ce moyen de paiement ' +
  "pour les recharges que j'aurai demandées ou autorisées</label>";

/** The page of a charge in its current state. */
export function chargePage(charge: SandboxCharge): Document {
  if (charge.state !== "open") return finishedPage(charge, 200);
  return charge.outcome === "challenge" ? challengePage(charge) : choicePage(charge);
}

function choicePage(charge: SandboxCharge): Document {
  const pay = `Payer ${formatMoney(charge.amountCents)}`;
  return drawn(
    charge,
    "Paiement à Ma carte",
    `<form method="post">
${charge.keep === null ? "" : consent}
${button({ outcome: "success", label: pay }, "go")}
${button({ outcome: "declined", label: "Refuser", hint: "La banque dit non" })}
${button({ outcome: "challenge", label: "3-D Secure", hint: "La banque demande une confirmation" })}
<h2>Cas plus rares</h2>
${[...rare, ...(charge.keep === null ? [] : [refusing])].map((one) => button(one)).join("\n")}
</form>`,
  );
}

function challengePage(charge: SandboxCharge): Document {
  return drawn(
    charge,
    "Confirmation 3-D Secure",
    `<p>Votre banque fictive demande de confirmer ce paiement.</p>
<form method="post">
${button({ outcome: "success", label: "Confirmer le paiement" }, "go")}
${button({ outcome: "declined", label: "Ne pas confirmer" })}
</form>`,
  );
}

/** Shown when a charge has its outcome already, with a link back. */
export function finishedPage(charge: SandboxCharge, status: 200 | 409): Document {
  const back = escapeHtml(charge.returnPath);
  return drawn(
    charge,
    "Ce paiement à Ma carte est terminé",
    charge.label === null
      ? `<p>Son résultat vous attend dans votre cagnotte.</p>
<a class="go" href="${back}">Revenir à ma cagnotte</a>`
      : `<p>Son résultat vous attend avec votre commande.</p>
<a class="go" href="${back}">Revenir à Ma carte</a>`,
    status,
  );
}

const button = ({ outcome, label, hint }: Button, look = "") =>
  `<button name="outcome" value="${outcome}"${look ? ` class="${look}"` : ""}>${escapeHtml(label)}${
    hint ? `<small>${escapeHtml(hint)}</small>` : ""
  }</button>`;

function drawn(charge: SandboxCharge, title: string, body: string, status = 200): Document {
  const page = `<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · paiements fictifs</title><style>${style}</style></head>
<body><main>
<p class="mode">Paiements fictifs\u202f: aucune carte, aucun débit.</p>
<h1>${escapeHtml(title)}</h1>
<p class="amount">${formatMoney(charge.amountCents)}</p>
${
  charge.label === null
    ? ""
    : `<p>${escapeHtml(charge.label)}</p>
`
}<p class="ref">Référence ${escapeHtml(referenceOf(charge.reference))}</p>
${body}
</main></body></html>`;
  return html(page, { status, headers: { "content-security-policy": policy } });
}
