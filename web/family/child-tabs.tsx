// The contents of a child's card, in tabs: money, meals, passes, tickets, custody, rights. The chosen one is
// in the address, so that a to-do, a notice and Back lead to it.
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import type { Member } from "#contract/family/rows.ts";
import { formatDate, ofName } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { LeaveButton } from "./leave-button.tsx";
import { LimitsSection } from "./limits-section.tsx";
import styles from "./family.module.css";

const loadMovements = () => import("#web/wallet/all-movements.tsx");
const AllMovements = lazy(async () => ({ default: (await loadMovements()).AllMovements }));
const PassList = lazy(async () => ({
  default: (await import("#web/passes/pass-list.tsx")).PassList,
}));
const ChildMeals = lazy(async () => ({
  default: (await import("#web/meals/child-meals.tsx")).ChildMeals,
}));
const TicketList = lazy(async () => ({
  default: (await import("#web/tickets/ticket-list.tsx")).TicketList,
}));
const CustodySection = lazy(async () => ({
  default: (await import("./custody-section.tsx")).CustodySection,
}));
const RightsSection = lazy(async () => ({
  default: (await import("#web/entitlements/rights-section.tsx")).RightsSection,
}));

const tabs = ["argent", "repas", "transport", "billets", "garde", "droits"] as const;
type TabName = (typeof tabs)[number];

interface Child {
  member: Member;
  /** Null while it loads, and where it could not be. */
  card: Card | null;
}

export function ChildTabs({ member, card }: Child) {
  const [search, change] = useSearchParameters<"familyMember">();
  const { cardnumber } = member;
  const tab = tabs.find((name) => name === search.tab) ?? "argent";
  return (
    <Tabs<TabName>
      label={`La carte ${ofName(member.name)}`}
      value={tab}
      onValue={(name) => change({ tab: name === "argent" ? undefined : name })}
      tabs={[
        { value: "argent", label: "Argent", content: <Money member={member} /> },
        {
          value: "repas",
          label: "Repas",
          content: (
            <Part label="Chargement des repas…">
              <ChildMeals cardnumber={cardnumber} />
            </Part>
          ),
        },
        {
          value: "transport",
          label: "Transport",
          content: (
            <Part label="Chargement des titres…">
              <Section title="Titres de transport">
                <PassList cards={[cardnumber]} offer={false} />
                <Actions gap={8}>
                  <ButtonLink icon="bus" href={paths.lines}>
                    Acheter un titre
                  </ButtonLink>
                </Actions>
              </Section>
            </Part>
          ),
        },
        {
          value: "billets",
          label: "Billets",
          content: (
            <Part label="Chargement des billets…">
              <Section title="Billets">
                <TicketList cards={[cardnumber]} quiet />
              </Section>
            </Part>
          ),
        },
        {
          value: "garde",
          label: "Garde",
          content: (
            <Part label="Chargement de la garde…">
              <CustodySection cardnumber={cardnumber} shared={member.shares.length > 0} />
              <Guardians member={member} card={card} />
            </Part>
          ),
        },
        {
          value: "droits",
          label: "Droits",
          content: (
            <Part label="Chargement des droits…">
              <RightsSection cardnumber={cardnumber} />
            </Part>
          ),
        },
      ]}
    />
  );
}

/** A tab whose parts come with its first opening. */
const Part = ({ label, children }: { label: string; children: ReactNode }) => (
  <Suspense fallback={<PartWait label={label} />}>
    <div className={styles.memberMain}>{children}</div>
  </Suspense>
);

const PartWait = ({ label, lines = 4 }: { label: string; lines?: number }) => (
  <Loading label={label}>
    <Section>
      <Skeleton lines={lines} height="4rem" />
    </Section>
  </Loading>
);

/** Drawn once the limits are known: how tall they are is not known before, and the operations are below. */
function Money({ member: { cardnumber, name } }: Pick<Child, "member">) {
  const limits = useAnswer(api.family.limits, { cardnumber });
  useEffect(() => void loadMovements().catch(() => {}), []);
  if (isFirstRead(limits)) return <PartWait label="Chargement des plafonds…" lines={10} />;
  return (
    <div className={styles.memberMain}>
      <LimitsSection cardnumber={cardnumber} name={name} />
      <Operations cardnumber={cardnumber} />
    </div>
  );
}

const Guardians = ({ member, card }: Child) => (
  <Section title="Sa famille">
    <DefinitionList
      items={[
        { label: "Responsables", value: ["Vous", ...member.shares].join(" et ") },
        card?.validUntil
          ? { label: "Carte valable jusqu’au", value: formatDate(card.validUntil) }
          : null,
      ]}
    />
    <Actions gap={8}>
      <LeaveButton member={member} />
    </Actions>
  </Section>
);

function Operations({ cardnumber }: { cardnumber: number }) {
  const wallets = useAnswer(api.wallet.list, { cardnumber });
  const main = wallets.data?.items.find((one) => one.main) ?? null;
  const walletless = wallets.error?.code === "not_found" || (wallets.isSuccess && !main);
  return (
    <Section title="Opérations">
      {wallets.isError && !walletless && (
        <ErrorState
          title="Les cagnottes de cette carte n’ont pas pu être chargées."
          answer={wallets}
        />
      )}
      {walletless && (
        <EmptyState icon="wallet" title="Pas de cagnotte sur cette carte">
          Ses opérations s’afficheront ici dès qu’une cagnotte sera ouverte.
        </EmptyState>
      )}
      {main && (
        <Suspense fallback={<Skeleton lines={6} height="3.25rem" />}>
          <AllMovements wallet={main.objectID} />
        </Suspense>
      )}
      {wallets.isPending && <Skeleton lines={6} height="3.25rem" />}
    </Section>
  );
}
