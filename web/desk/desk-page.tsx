// The desk of a provider: what is cooked, and for whom. The tab and the week are in the address.
import { lazy, type ReactNode, Suspense } from "react";
import { api } from "#contract/api.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { companyCan, type RolePredicate } from "#contract/companies/roles.ts";
import { paths } from "#contract/paths.ts";
import type { TabOf } from "#contract/searches.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ForRoles, isOpenTo, useOwnRoles } from "#web/app/shared/own-roles.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { type Tab, Tabs } from "#web/ui/tabs.tsx";
import { FrozenCanteens } from "#web/kitchen/frozen-canteens.tsx";
import { OneCanteen } from "#web/kitchen/one-canteen.tsx";

const MenusTab = lazy(async () => ({
  default: (await import("#web/kitchen/menus-tab.tsx")).MenusTab,
}));
const QuantitiesTab = lazy(async () => ({
  default: (await import("#web/meal-service/quantities-tab.tsx")).QuantitiesTab,
}));
const RulesTab = lazy(async () => ({
  default: (await import("#web/kitchen/rules-tab.tsx")).RulesTab,
}));
const RegistrationsTab = lazy(async () => ({
  default: (await import("#web/meals/registrations-tab.tsx")).RegistrationsTab,
}));
const MessagesTab = lazy(async () => ({
  default: (await import("#web/kitchen/messages-tab.tsx")).MessagesTab,
}));
const ClosingsTab = lazy(async () => ({
  default: (await import("#web/meals/closings-tab.tsx")).ClosingsTab,
}));
const StatementTab = lazy(async () => ({
  default: (await import("#web/meal-service/statement-tab.tsx")).StatementTab,
}));

export const CanteenDeskPage = () => (
  <ForRoles may="openDesk" title="Cantine">
    <CanteenDesk />
  </ForRoles>
);

function CanteenDesk() {
  const roles = useOwnRoles();
  const canteens = useAnswer(api.canteen.ownCanteens, {});
  const items = canteens.data?.items;
  return (
    <Page>
      <PageHeader
        title="Cantine"
        lead={items?.map(({ name }) => name).join(" · ")}
        actions={
          items &&
          items.length > 0 &&
          isOpenTo(paths.canteenFollowUp, roles) && (
            <ButtonLink href={paths.canteenFollowUp} icon="calendar">
              Suivi des repas
            </ButtonLink>
          )
        }
      />
      {!items && (
        <NotLoaded
          answer={canteens}
          label="Chargement de vos cantines…"
          lines={4}
          height="5rem"
          failed="Vos cantines n’ont pas pu être chargées."
        />
      )}
      {items?.length === 0 && (
        <EmptyState
          icon="meal"
          title="Aucune cantine n’est rattachée à votre compte."
          action={<ButtonLink href={paths.contact}>Nous écrire</ButtonLink>}
        >
          Vous servez des repas{"\u202f"}? Écrivez-nous pour ouvrir vos restaurants ici.
        </EmptyState>
      )}
      {items && items.length > 0 && <Desk canteens={items} />}
    </Page>
  );
}

const IllnessesTab = lazy(async () => ({
  default: (await import("#web/meals/illnesses-tab.tsx")).IllnessesTab,
}));

/** A tab with who may open it; all of them until the role is known. */
interface DeskTab extends Tab<TabOf<"canteenDesk">> {
  may?: RolePredicate;
}

function Desk({ canteens }: { canteens: readonly OwnCanteen[] }) {
  const [{ tab: chosen }, change] = useSearchParameters<"canteenDesk">();
  const roles = useOwnRoles();
  const all: readonly DeskTab[] = [
    {
      value: "menus",
      label: "Menus",
      content: (
        <Suspense fallback={<Skeleton lines={5} height="24rem" />}>
          <MenusTab canteens={canteens} decides={roles !== undefined && companyCan.decide(roles)} />
        </Suspense>
      ),
      may: companyCan.cook,
    },
    {
      value: "quantites",
      label: "Quantités",
      content: (
        <Suspense fallback={<Skeleton lines={4} height="6rem" />}>
          <QuantitiesTab />
        </Suspense>
      ),
      may: companyCan.cook,
    },
    {
      ...tabOf("inscriptions", "Inscriptions", (canteen) => (
        <RegistrationsTab key={canteen.id} canteen={canteen} />
      )),
      may: companyCan.answerFamilies,
      // Requests that wait, at all the canteens.
      count: canteens.reduce((sum, { waiting }) => sum + waiting, 0),
    },
    {
      ...tabOf("absences", "Absences", (canteen) => (
        <IllnessesTab key={canteen.id} canteen={canteen} />
      )),
      may: companyCan.answerFamilies,
    },
    {
      ...tabOf("messages", "Messages", (canteen) => (
        <MessagesTab key={canteen.id} canteen={canteen} />
      )),
      may: companyCan.answerFamilies,
    },
    {
      ...tabOf("regles", "Règles", (canteen) => <RulesTab canteen={canteen} />),
      may: companyCan.decide,
    },
    {
      ...tabOf("fermetures", "Fermetures", (canteen) => <ClosingsTab canteen={canteen} />),
      may: companyCan.decide,
    },
    // Whoever is at the counter alone sees no money of the company.
    {
      value: "releve",
      label: "Relevé",
      may: companyCan.seeMoney,
      content: (
        <Suspense fallback={<Skeleton lines={8} height="3rem" />}>
          <StatementTab canteens={canteens} />
        </Suspense>
      ),
    },
  ];
  const isOpen = ({ may }: DeskTab) => roles === undefined || !may || may(roles);
  const tabs = all.filter(isOpen);
  const first = tabs[0]?.value ?? "menus";
  const reserved = all.find((tab) => tab.value === chosen && !isOpen(tab));
  function tabOf(
    value: TabOf<"canteenDesk">,
    label: string,
    content: (canteen: OwnCanteen) => ReactNode,
  ): DeskTab {
    return {
      value,
      label,
      content: (
        <OneCanteen canteens={canteens}>
          {(canteen) => (
            <Suspense fallback={<Skeleton lines={6} height="3rem" />}>{content(canteen)}</Suspense>
          )}
        </OneCanteen>
      ),
    };
  }
  return (
    <>
      <FrozenCanteens canteens={canteens} />
      {reserved && (
        <Banner
          tone="info"
          title={`«\u00a0${reserved.label}\u00a0» n’est pas ouvert à votre rôle.`}
        >
          Demandez au responsable de votre entreprise.
        </Banner>
      )}
      <Tabs
        label="Cantine"
        tabs={tabs}
        value={tabs.find(({ value }) => value === chosen)?.value ?? first}
        onValue={(value) => change({ tab: value === first ? undefined : value })}
      />
    </>
  );
}
