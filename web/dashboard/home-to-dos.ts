// The to-dos that the server lists, in the words and with the button of the dashboard.
import { proofNames } from "#contract/entitlements/words.ts";
import type { ProofKind } from "#contract/entitlements/rows.ts";
import {
  firstName,
  formatDate,
  formatMoney,
  formatTime,
  ofName,
  spokenDay,
  untilDay,
} from "#contract/french.ts";
import { readRequestToDo } from "#contract/funding/money-requests.ts";
import type { HomeChild, ToDoKind, ToDoView } from "#contract/portal/home.ts";
import { money } from "#contract/limits.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import type { Harm, RankedToDo, ToDo } from "./to-do.ts";

type Words = Pick<ToDo, "tone" | "title" | "text"> & { label: string };

const harmOf: Readonly<Record<ToDoKind, Harm>> = {
  till: "till",
  meal_warned: "health",
  money_request: "child",
  closing: "blocked",
  cart: "expires",
  ticket_offered: "expires",
  meal_offered: "expires",
  proof_refused: "rights",
  proof_ending: "rights",
  card_refused: "rights",
  ticket_received: "people",
  invitation: "people",
  employer: "people",
  custody: "people",
  answer: "none",
  membership: "none",
  pass_order: "none",
  subscription: "none",
};

const proofOf = (what: string | null) => proofNames[(what ?? "identity") as ProofKind];
const until = (at: string | null) => (at ? untilDay(at) : null);
const untilTime = (at: string | null) => (at ? `jusqu’à ${formatTime(at)}` : null);
/** What, for whom where it is not oneself, and until when, in one line. */
const line = ({ what, own, name }: ToDoView, end: string | null = null): string =>
  [what, own ? null : firstName(name), end].filter(Boolean).join(" · ");

/** The words to resume what was begun and not ended. */
const resume = (one: ToDoView, title: string): Words => ({
  tone: "info",
  title,
  text: line(one),
  label: "Reprendre",
});

const words: Readonly<Record<ToDoKind, (one: ToDoView) => Words>> = {
  till: (one) => ({
    tone: "warning",
    title: `${one.from} attend votre accord`,
    text: line(
      { ...one, what: `Achat en caisse de ${formatMoney(Number(one.what))}` },
      untilTime(one.until),
    ),
    label: "Répondre",
  }),
  money_request: (one) => {
    const { amountCents, words: said } = readRequestToDo(one.what ?? "");
    return {
      tone: "info",
      title: `${firstName(one.name)} demande ${formatMoney(amountCents)}`,
      text:
        said === null ? line({ ...one, what: null }, until(one.until)) : `«\u00a0${said}\u00a0»`,
      label: "Répondre",
    };
  },
  closing: (one) => ({
    tone: "warning",
    title: `Fermeture du compte le ${formatDate(one.what ?? "")}`,
    text: line({ ...one, what: "Vous pouvez y renoncer" }),
    label: "Renoncer",
  }),
  cart: (one) => ({
    tone: "warning",
    title: "Panier à payer",
    text: line({ ...one, own: true }, untilTime(one.until)),
    label: "Reprendre",
  }),
  ticket_offered: (one) => ({
    tone: "warning",
    title: "Place libérée",
    text: line(one, untilTime(one.until)),
    label: "Voir",
  }),
  meal_warned: (one) => ({
    tone: "warning",
    title: "Allergènes\u202f: repas à revoir",
    text: line({ ...one, what: spokenDay(one.what ?? "") }),
    label: "Voir",
  }),
  meal_offered: (one) => ({
    tone: "warning",
    title: "Place libérée à la cantine",
    text: line({ ...one, what: spokenDay(one.what ?? "") }, untilTime(one.until)),
    label: "Commander",
  }),
  ticket_received: (one) => ({
    tone: "info",
    title: `Billet ${ofName(firstName(one.from ?? ""))}`,
    text: line(one, until(one.until)),
    label: "Répondre",
  }),
  invitation: (one) => ({
    tone: "info",
    title: `Invitation ${ofName(one.from ?? "")}`,
    text: line({ ...one, what: "Famille" }, until(one.until)),
    label: "Répondre",
  }),
  employer: (one) => ({
    tone: "info",
    title: `Proposition ${ofName(one.from ?? "")}`,
    text: line({ ...one, what: "Une part de vos trajets" }, until(one.until)),
    label: "Répondre",
  }),
  custody: (one) => ({
    tone: "info",
    title: `Garde ${ofName(firstName(one.name))}`,
    text: `Proposée par ${firstName(one.from ?? "")}`,
    label: "Répondre",
  }),
  proof_refused: (one) => ({
    tone: "warning",
    title: "Justificatif refusé",
    text: line({ ...one, what: proofOf(one.what) }),
    label: "Renvoyer",
  }),
  proof_ending: (one) => ({
    tone: "warning",
    title: "À renouveler",
    text: line({ ...one, what: proofOf(one.what) }, until(one.until)),
    label: "Renouveler",
  }),
  card_refused: ({ what }) => ({
    tone: "warning",
    title: "Première carte refusée",
    text: what ?? "",
    label: "Voir",
  }),
  answer: ({ what }) => ({
    tone: "info",
    title: "Réponse à votre demande",
    text: `«\u00a0${what}\u00a0»`,
    label: "Lire",
  }),
  membership: (one) => resume(one, "Adhésion à terminer"),
  pass_order: (one) => resume(one, "Achat à terminer"),
  subscription: (one) => resume(one, "Abonnement à terminer"),
};

const requestOf = ({ id, name, what }: ToDoView) => ({
  id,
  name,
  amountCents: readRequestToDo(what ?? "").amountCents,
});

/** To-dos about requests of other people and the person's own unfinished purchases, the earliest deadline first. */
export const aboutHome = (list: readonly ToDoView[]): RankedToDo[] =>
  list.map((one) => {
    const { label, ...said } = words[one.kind](one);
    const act: ToDo["act"] =
      one.kind === "money_request"
        ? { kind: "moneyRequest", request: requestOf(one) }
        : { kind: "go", label, href: one.path };
    return { key: `${one.kind}-${one.id}`, harm: harmOf[one.kind], ...said, act };
  });

/** Children whose wallet has less than the smallest top-up. */
export const aboutChildren = (children: readonly HomeChild[], takesMoney: boolean): RankedToDo[] =>
  children.flatMap(({ cardnumber, name, wallet }) => {
    if (!wallet || wallet.frozen || wallet.projectedCents >= money.topUpMinCents) return [];
    const { projectedCents } = wallet;
    return [
      {
        key: `low-${cardnumber}`,
        harm: "blocked",
        tone: "warning",
        title: `Cagnotte ${ofName(firstName(name))}`,
        text: projectedCents > 0 ? `Il reste ${formatMoney(projectedCents)}` : "Elle est vide",
        act: takesMoney ? { kind: "go", label: "Recharger", href: topUpPath(wallet) } : null,
      },
    ];
  });
