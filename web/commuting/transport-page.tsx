// One transport service for the employees of a company (spec §2 Transport_mobile), read from the session's
// cache, fetched only when there is none. Where it grants passes, the company sets its share, enrols its
// employees and takes the list for payroll; the tab is in the address.
import { useParams } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import type { CommutingPlan } from "#contract/commuting/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import type { TransportService } from "#contract/partners/rows.ts";
import { paths } from "#contract/paths.ts";
import type { TabOf } from "#contract/searches.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useTransport } from "#web/partners/transport.ts";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { type Tab, Tabs } from "#web/ui/tabs.tsx";
import { EmployeesTab } from "./employees-tab.tsx";
import { OfferTab } from "./offer-tab.tsx";
import { PayrollTab } from "./payroll-tab.tsx";

const servicePath = (code: string): string => linkTo(paths.service, { code });

export function TransportPage() {
  const { code = "", id = "" } = useParams({ strict: false });
  const offers = useTransport();
  const found = offers.data?.find((one) => one.id === id && one.code === code);
  if (found) return <Offer key={id} one={found} />;
  if (offers.data) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title="Transport des salariés"
        back={{ href: servicePath(code), label: "Toutes les offres" }}
      />
      <NotLoaded
        answer={offers}
        label="Chargement de l’offre…"
        height="20rem"
        failed="Cette offre n’a pas pu être chargée."
      />
    </Page>
  );
}

function Offer({ one }: { one: TransportService }) {
  const plan = useAnswer(api.commuting.plan, { service: one.id });
  const barred = plan.error?.code === "company_role" || plan.error?.code === "company_missing";
  return (
    <Page>
      <PageHeader
        title={one.name}
        lead={one.summary}
        back={{ href: servicePath(one.code ?? ""), label: "Toutes les offres" }}
      />
      {!plan.data && !barred && (
        <NotLoaded
          answer={plan}
          label="Chargement de l’offre…"
          height="20rem"
          failed="La part de votre entreprise n’a pas pu être chargée."
        />
      )}
      {!plan.data && barred && <OfferTab one={one} plan={null} />}
      {plan.data &&
        (plan.data.passes.length > 0 ? (
          <Shared one={one} plan={plan.data} />
        ) : (
          <OfferTab one={one} plan={null} />
        ))}
    </Page>
  );
}

function Shared({ one, plan }: { one: TransportService; plan: CommutingPlan }) {
  const [{ tab }, change] = useSearchParameters<"employeeTransport">();
  const tabs: readonly Tab<TabOf<"employeeTransport">>[] = [
    { value: "offre", label: "L’offre", content: <OfferTab one={one} plan={plan} /> },
    {
      value: "salaries",
      label: "Salariés",
      content: <EmployeesTab plan={plan} />,
    },
    {
      value: "paie",
      label: "Paie",
      content: <PayrollTab service={plan.service} />,
    },
  ];
  return (
    <Tabs
      label="Transport des salariés"
      tabs={tabs}
      value={tabs.find(({ value }) => value === tab)?.value ?? "offre"}
      onValue={(value) => change({ tab: value === "offre" ? undefined : value })}
    />
  );
}
