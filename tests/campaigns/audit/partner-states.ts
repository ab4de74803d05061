// States of the services and of the directory that an address or an act brings about.
import type { Page } from "playwright-core";
import { dialog, heading, inOrder, press } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

export function partnerStates(furnished: FurnishedPortal): Visit[] {
  const found = { route: "/services/partner", caller: "holder", as: "guardian" } as const;
  const pro = { caller: "professional", as: "partnerShop" } as const;
  const at = (search: string) => `/services/partner?${search}`;
  return [
    {
      ...found,
      state: "fiche",
      address: at(`fiche=${furnished.directory.partner}`),
      act: heading("Horaires"),
    },
    {
      ...found,
      state: "autour d’une commune",
      address: at("autour=trevenes&categorie=manger"),
      act: (page) => page.getByText(/plus loin de Trévenez/).waitFor(),
    },
    {
      ...found,
      state: "sans résultat",
      address: at("q=xylophone"),
      act: (page) => page.getByText("Rien ne correspond").waitFor(),
    },
    {
      ...found,
      state: "position refusée",
      address: "/services/partner",
      act: inOrder(press("Autour de moi"), (page) =>
        page.getByText(/Indiquez une ville/).waitFor(),
      ),
    },
    {
      ...pro,
      route: "/professional/repertory",
      state: "plan",
      address: "/professional/repertory?vue=plan",
      act: (page) => page.getByRole("figure").waitFor(),
    },
    {
      ...pro,
      route: "/professional/category",
      state: "horaires après minuit",
      address: `/professional/category?fiche=${furnished.directory.partner}`,
      act: async (page) => {
        const hint = page.getByText(/Ouvert après minuit/);
        await hint.scrollIntoViewIfNeeded();
      },
    },
    {
      ...pro,
      route: "/professional/category",
      state: "choix de sa catégorie",
      address: "/professional/category",
      act: inOrder(press(/^Changer/), dialog),
    },
    {
      ...found,
      route: "/services/:code",
      state: "offres de transport",
      address: "/services/transport-entreprise",
      caller: "professional",
      as: "partnerShop",
      act: heading("Les offres"),
    },
    ...["salaries", "paie"].map((onglet) => ({
      ...pro,
      route: "/services/:code/:id",
      state: onglet,
      address: `/services/transport-entreprise/${furnished.directory.transport}?onglet=${onglet}`,
      act: (page: Page) =>
        page
          .getByText(/^(?:Aucun salarié inscrit|Rien à déclarer)/)
          .first()
          .waitFor(),
    })),
  ];
}
