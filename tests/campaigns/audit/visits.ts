// Every screen of the route table by every kind of caller that may see it, then the states that take an
// action. A new route is covered by being in the table; a state is a line below.
import type { Page } from "playwright-core";
import { fill } from "#contract/address.ts";
import { paths } from "#contract/paths.ts";
import { decide } from "#web/app/shared/guards.ts";
import type { Entry } from "#web/app/shared/route-entry.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { dialog, failedAnswer, heading, inOrder, press, see, type } from "./page-actions.ts";
import { familyStates } from "./family-states.ts";
import { busStates } from "./bus-states.ts";
import { companyStates } from "./company-states.ts";
import { canteenStates } from "./canteen-states.ts";
import { fundingStates } from "./funding-states.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import { type Caller, callers, type Visit } from "./visit.ts";
import { membershipStates } from "./membership-states.ts";
import { passStates } from "./pass-states.ts";
import { partnerStates } from "./partner-states.ts";
import { invoiceStates } from "./invoice-states.ts";
import { partnershipStates } from "./partnership-states.ts";
import { grantStates } from "./grant-states.ts";
import { proCardStates } from "./pro-card-states.ts";
import { settlementStates } from "./settlement-states.ts";
import { tillStates } from "./till-states.ts";
import { strongStates } from "./strong-states.ts";
import { ticketStates } from "./ticket-states.ts";
import { codeDialog } from "../../code-dialog.ts";

/** These show the service's state: on a busy machine it may say that its work is behind. */
const tellsOfService = /^\/(?:health|test\/bien)$/;

/** Every visit; `chosen` keeps those whose route or state contains the text. */
export async function visitsOf(
  table: readonly Entry[],
  furnished: FurnishedPortal,
  chosen = "",
): Promise<Visit[]> {
  const openings = [];
  for (const entry of table.filter(({ planned, redirect }) => !planned && !redirect)) {
    for (const caller of Object.keys(callers) as Caller[]) {
      const { as, user } = callers[caller];
      const facts = { token: user ? "valid" : "missing", user } as const;
      if (decide(entry.guard, facts).to !== null) continue;
      const address = await addressOf(entry.path, as, furnished);
      const expected = tellsOfService.test(entry.path)
        ? { expected: /status of 503/ }
        : entry.path.includes(":sale") && as !== "guardian"
          ? { expected: failedAnswer }
          : {};
      openings.push({
        route: entry.path,
        address,
        state: "à l’ouverture",
        caller,
        as,
        ...expected,
      });
    }
  }
  return [...openings, ...states(furnished)].filter(({ route, state }) =>
    `${route} ${state}`.includes(chosen),
  );
}

/** The value of a parameter of the table, for the person who looks. */
async function addressOf(
  path: string,
  as: CastName | null,
  furnished: FurnishedPortal,
): Promise<string> {
  const names = [...path.matchAll(/:(\w+)/g)].map((found) => found[1] ?? "");
  if (names.length === 0) return path;
  const wallet = await furnished.walletOf(as ?? "guardian");
  const known: Record<string, string | number> = {
    objectID: wallet.objectID,
    name: wallet.slug,
    idgroup: path.startsWith("/commande/cantine") ? furnished.canteenGroup : wallet.idgroup,
    cardnumber: cast.child.cardnumber,
    group: furnished.fareGroup,
    sale: furnished.sale,
    id: path.startsWith("/faq/")
      ? "carte-perdue"
      : path.startsWith("/partenaire/")
        ? furnished.partnership
        : furnished.directory.transport,
    code_services: "devenir-partenaire",
    code: path.includes(":id") ? "transport-entreprise" : "annuaire",
  };
  const missing = names.find((name) => known[name] === undefined);
  if (missing)
    throw new Error(`Say in tests/campaigns/audit/visits.ts what :${missing} of ${path} is.`);
  return fill(path, known);
}

function states(furnished: FurnishedPortal): Visit[] {
  return [
    ...guestStates(furnished),
    ...holderStates(),
    ...familyStates(),
    ...strongStates(furnished),
    ...subscriptionStates(),
    ...moneyStates(furnished),
    ...passStates(furnished),
    ...fundingStates(furnished),
    ...partnerStates(furnished),
    ...invoiceStates(),
    ...proCardStates(furnished),
    ...grantStates(),
    ...companyStates(),
    ...settlementStates(),
    ...tillStates(),
    ...partnershipStates(furnished),
    ...membershipStates(),
    ...busStates(furnished),
    ...canteenStates(furnished),
    ...ticketStates(furnished),
    ...troubles(furnished),
  ];
}

function guestStates(furnished: FurnishedPortal): Visit[] {
  const login = { route: "/login", address: "/login", caller: "guest", as: null } as const;
  const forgot = { ...login, route: "/identify", address: "/identify" };
  const askCode = async (page: Page) => {
    await furnished.forgetLimits();
    await type("Numéro de carte", String(cast.stranger.cardnumber))(page);
    await press("Recevoir un code")(page);
    await page.getByRole("button", { name: "Changer le mot de passe" }).waitFor();
  };
  const recovery = [press("Utiliser un code de secours"), see("textbox", "Code de secours")];
  return [
    { ...login, state: "champs vides", act: press("Se connecter") },
    {
      ...login,
      state: "refusée",
      expected: failedAnswer,
      act: inOrder(
        furnished.forgetLimits,
        type("Numéro de carte", String(cast.stranger.cardnumber)),
        type("Mot de passe", "pas le bon mot de passe"),
        press("Se connecter"),
        (page) => page.getByText("Erreur d'identifiant").waitFor(),
      ),
    },
    { ...login, state: "après la déconnexion", address: "/login?fin=deconnexion" },
    { ...forgot, state: "numéro manquant", act: press("Recevoir un code") },
    { ...forgot, state: "code demandé", act: askCode },
    {
      ...forgot,
      state: "code manquant",
      act: inOrder(askCode, press("Changer le mot de passe")),
    },
    {
      route: "/reset/password",
      address: "/reset/password",
      state: "trop court",
      caller: "reset",
      as: "resetPending",
      act: type("Nouveau mot de passe", "abcdefg"),
    },
    { ...forgot, state: "code de secours", act: inOrder(...recovery) },
    {
      ...forgot,
      state: "code de secours manquant",
      act: inOrder(...recovery, press("Changer le mot de passe")),
    },
    {
      ...login,
      route: "/securite/pas-moi",
      address: furnished.alertPath,
      state: "lien valable",
      act: (page) => page.getByRole("button", { name: /tout fermer/ }).waitFor(),
    },
    { ...login, route: "*", address: "/nulle/part", state: "introuvable" },
  ];
}

const holder = { caller: "holder", as: "guardian" } as const;

function holderStates(): Visit[] {
  const home = { ...holder, route: "/dashboard", address: "/dashboard" };
  const manage = press(/^Gérer/);
  const contacts = { ...holder, route: "/profil/coordonnees", address: "/profil/coordonnees" };
  const signIn = { ...holder, route: "/profil/connexion", address: "/profil/connexion" };
  const mail = press("Modifier l’adresse e-mail");
  const contact = { ...holder, route: "/contact", address: "/contact" };
  return [
    {
      ...contact,
      state: "message incomplet",
      address: "/contact?ecrire=1",
      act: press("Envoyer le message"),
    },
    {
      ...contact,
      state: "une demande",
      act: (page) => page.getByRole("link", { name: /Recharge contestée/ }).click(),
    },
    { ...home, state: "QR code", act: inOrder(press("Afficher le QR code"), dialog) },
    { ...home, state: "gérer la carte", act: inOrder(manage, dialog) },
    {
      ...home,
      state: "opposition",
      act: inOrder(manage, press(/Mettre en opposition/), (page) =>
        page.getByRole("alertdialog").waitFor(),
      ),
    },
    { ...home, state: "cloche", act: inOrder(press(/^Notifications/), heading("Notifications")) },
    { ...home, state: "abonnements", address: "/dashboard?onglet=abonnements" },
    { ...home, state: "aucun résultat", address: "/dashboard?texte=rien+de+tel" },
    {
      ...home,
      state: "valeurs de la courbe",
      act: async (page) => {
        await page.getByRole("heading", { name: "Évolution" }).scrollIntoViewIfNeeded();
        await page.locator("summary", { hasText: "Voir les valeurs" }).click();
      },
    },
    { ...home, state: "carte suspendue", as: "coGuardian" },
    { ...home, state: "sans activité", caller: "professional", as: "employer" },
    {
      ...home,
      state: "prestataire",
      caller: "professional",
      as: "canteenProvider",
      act: heading("Derniers passages"),
    },
    ...(["enfant", "recharge", "cantine"] as const).map((step) => ({
      ...holder,
      as: "stranger" as const,
      route: paths.tour,
      address: `${paths.tour}?etape=${step}`,
      state: step,
    })),
    { ...home, state: "cloche vide", as: "stranger", act: press(/^Notifications/) },
    { ...contacts, state: "changement d’adresse", act: mail },
    {
      ...contacts,
      state: "adresse fausse",
      act: inOrder(mail, type("Nouvelle adresse e-mail", "camille"), press("Recevoir un code")),
    },
    {
      ...signIn,
      state: "mot de passe manquant",
      act: inOrder(press("Changer le mot de passe"), press("Enregistrer le mot de passe")),
    },
    { ...holder, route: "*", address: "/nulle/part", state: "introuvable" },
  ];
}

function subscriptionStates(): Visit[] {
  const path = paths.subscription;
  const child = { ...holder, route: path, address: `${path}?carte=${cast.secondChild.cardnumber}` };
  const formula = { ...child, address: `${child.address}&etape=formule` };
  const chosen = inOrder(
    (page) => page.getByRole("radio", { name: "Essentiel" }).check(),
    press("Continuer"),
    heading(/Vérifiez le prix/),
  );
  return [
    { ...formula, state: "formules" },
    {
      ...formula,
      address: `${path}?etape=formule`,
      state: "formule manquante",
      as: "stranger",
      act: press("Continuer"),
    },
    { ...formula, state: "prix", act: chosen },
    { ...child, state: "dossier qui attend" },
    {
      ...child,
      address: path,
      state: "dossier vérifié en retard",
      as: "coGuardian",
      act: (page) => page.getByText(/Elle est en retard/).waitFor(),
    },
    { ...child, address: path, state: "aucun abonnement", as: "stranger" },
  ];
}

function moneyStates(furnished: FurnishedPortal): Visit[] {
  // The same amount sent again within a minute would be asked about.
  let cents = 100;
  const sent = async (page: Page) => {
    cents += 1;
    await review((cents / 100).toFixed(2).replace(".", ","))(page);
    await press(/^Envoyer 1,/)(page);
    await heading(/envoyé à/)(page);
  };
  const send = { ...holder, route: "/cagnottes/virement" };
  const to = `/cagnottes/virement?vers=${cast.child.cardnumber}`;
  const review = (amount: string) =>
    inOrder(type("Montant", amount), press("Vérifier le virement"), heading("Vérifiez"));
  const topUp = { ...holder, route: "/services/:objectID/:name/:idgroup" };
  const path = furnished.topUpPath;
  const followed = Object.entries(furnished.topUps).map(([name, id]) => ({
    ...topUp,
    address: `${path}?recharge=${id}`,
    state: `suivie : ${name}`,
  }));
  return [
    { ...send, address: to, state: "vérification", act: review("12,50") },
    { ...send, address: to, state: "montant manquant", act: press("Vérifier le virement") },
    {
      ...send,
      address: "/cagnottes/virement",
      state: "carte manquante",
      act: press("Vérifier le virement"),
    },
    { ...send, address: to, state: "envoyé", act: sent },
    {
      ...send,
      address: to,
      state: "code demandé",
      expected: failedAnswer,
      act: inOrder(furnished.forgetLimits, review("60"), press(/^Envoyer 60/), (page) =>
        codeDialog(page).waitFor(),
      ),
    },
    { ...send, address: "/cagnottes/virement", state: "sans famille", as: "stranger" },
    {
      ...holder,
      route: "/cagnottes/depenses",
      address: "/cagnottes/depenses",
      state: "tableau",
      act: (page) => page.getByText("Voir le tableau").click(),
    },
    {
      ...topUp,
      address: path,
      state: "trop élevé",
      act: inOrder(type("Montant", "600"), press("Payer")),
    },
    { ...topUp, address: path, state: "montant manquant", act: press("Payer") },
    { ...topUp, address: `${path}?montant=2000`, state: "montant choisi" },
    ...followed,
    { ...holder, route: "/paiement/sandbox/:id", address: furnished.paymentPath, state: "à payer" },
  ];
}

/** The server or the network fails, really. */
function troubles(furnished: FurnishedPortal): Visit[] {
  const broken = { ...holder, expected: failedAnswer, before: furnished.breakWallets };
  const offline = (page: Page) => page.context().setOffline(true);
  return [
    { ...broken, route: "/dashboard", address: "/dashboard", state: "panne" },
    { ...broken, route: "/services/cagnottes", address: "/services/cagnottes", state: "panne" },
    { ...broken, route: "/cagnottes/virement", address: "/cagnottes/virement", state: "panne" },
    { ...broken, route: "/cagnottes/depenses", address: "/cagnottes/depenses", state: "panne" },
    {
      ...holder,
      route: "/dashboard",
      address: "/dashboard",
      state: "hors ligne",
      expected: failedAnswer,
      act: inOrder(offline, (page) => page.getByText("Connexion perdue").waitFor()),
    },
  ];
}
