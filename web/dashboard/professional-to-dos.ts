// The to-dos of a professional, in the words and with the button of their home.
import { addDays } from "#contract/days.ts";
import {
  formatDayInWords,
  formatMoney,
  ofName,
  plural,
  spokenDay,
  untilDay,
} from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import type { ProfessionalToDo, ProfessionalToDoKind } from "#contract/portal/professional-home.ts";
import type { SearchOf } from "#contract/searches.ts";
import type { ToDo } from "./to-do.ts";

type Words = Pick<ToDo, "tone" | "title" | "text"> & { label: string; href: string };

const desk = (tab: SearchOf<"canteenDesk">["tab"], canteen: string) =>
  linkTo(paths.canteenDesk, {}, { tab, canteen });

/** Meals to accept are looked for as far ahead as the server counts them. */
const weekAhead = 7;

const until = (day: string | null) => (day ? ` · ${untilDay(day)}` : "");

const words: Readonly<Record<ProfessionalToDoKind, (one: ProfessionalToDo) => Words>> = {
  till: ({ id, what, amountCents = 0 }) => ({
    tone: "warning",
    title: `${what} attend votre accord`,
    text: `Achat en caisse de ${formatMoney(amountCents)}`,
    label: "Répondre",
    href: atPlace(paths.tillRequests, "tillSale", id),
  }),
  sheet_frozen: ({ what }) => ({
    tone: "danger",
    title: "Votre fiche est retirée de l’annuaire",
    text: what ?? "",
    label: "Nous écrire",
    href: linkTo(paths.contact, {}, { write: "1" }),
  }),
  scan_conflicts: ({ count, id, what }) => ({
    tone: "warning",
    title: `${plural(count, "passage")} du guichet à régler`,
    text: what ?? "",
    label: "Régler",
    href: linkTo(paths.mealCounter, {}, { canteen: id }),
  }),
  meals_to_validate: ({ count, id, what, day }) => ({
    tone: "warning",
    title: `${plural(count, "repas", "repas")} à valider`,
    text: [what, day && `dès ${spokenDay(day)}`].filter(Boolean).join(" · "),
    label: "Valider",
    href: linkTo(
      paths.canteenFollowUp,
      {},
      {
        canteen: id,
        from: day ?? "",
        to: day ? addDays(day, weekAhead) : "",
        state: "reserved",
      },
    ),
  }),
  registrations: ({ count, id, what }) => ({
    tone: "info",
    title: `${plural(count, "inscription")} à étudier`,
    text: what ?? "",
    label: "Répondre",
    href: desk("inscriptions", id),
  }),
  certificates: ({ count, id, what }) => ({
    tone: "info",
    title: `${plural(count, "certificat médical", "certificats médicaux")} à vérifier`,
    text: what ?? "",
    label: "Vérifier",
    href: desk("absences", id),
  }),
  menus_missing: ({ count, day }) => ({
    tone: "warning",
    title: `${plural(count, "menu")} à publier`,
    text: `${count > 1 ? "À partir du" : "Pour le"} ${formatDayInWords(day ?? "")}, les familles n’en voient pas`,
    label: "Écrire",
    href: linkTo(paths.canteenDesk, {}, { week: day ?? undefined }),
  }),
  allergens_undeclared: ({ count, day }) => ({
    tone: "warning",
    title: `${plural(count, "plat")} sans allergènes renseignés`,
    text: `${count > 1 ? "À partir du" : "Pour le"} ${formatDayInWords(day ?? "")}, les familles d’enfants allergiques en sont averties`,
    label: "Renseigner",
    href: linkTo(paths.canteenDesk, {}, { week: day ?? undefined }),
  }),
  invoices_due: ({ count, what }) => ({
    tone: "warning",
    title: `${plural(count, "facture")} à payer`,
    text: what ?? "",
    label: "Payer",
    href: linkTo(paths.invoices, {}, { state: "open" }),
  }),
  grants_due: ({ count, id, what }) => ({
    tone: "warning",
    title: `${plural(count, "virement")} de dotation à faire`,
    text: what ?? "",
    label: "Voir",
    href: count === 1 ? linkTo(paths.grants, {}, { grant: id }) : paths.grants,
  }),
  bank_change: ({ what, day }) => ({
    tone: "warning",
    title: "Compte bancaire à confirmer",
    text: `Changement demandé par ${what}${until(day)}`,
    label: "Vérifier",
    href: paths.company,
  }),
  partnership: ({ id, what, day }) => ({
    tone: "info",
    title: `Invitation ${ofName(what ?? "")}`,
    text: `Partenariat${until(day)}`,
    label: "Répondre",
    href: linkTo(paths.partnership, { id }),
  }),
  answer: ({ id, what }) => ({
    tone: "info",
    title: "Réponse à votre demande",
    text: `«\u00a0${what}\u00a0»`,
    label: "Lire",
    href: atPlace(linkTo(paths.contact, {}, { thread: id }), "contactAnswer", id),
  }),
};

/** In the order of the server, the most pressing first. */
export const aboutProfessional = (list: readonly ProfessionalToDo[]): ToDo[] =>
  list.map((one) => {
    const { label, href, ...said } = words[one.kind](one);
    return { key: `${one.kind}-${one.id}`, ...said, act: { kind: "go", label, href } };
  });
