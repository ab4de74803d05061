// « Caisse » : a partner charges cards, gives back, and closes the day. Counter and tab are in the address.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { TabOf } from "#contract/searches.ts";
import type { TillCounter } from "#contract/till/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { KioskButton } from "#web/app/shared/kiosk.tsx";
import { ForRoles } from "#web/app/shared/own-roles.tsx";
import { useServerUnreachable } from "#web/app/transport/server-answers.ts";
import { useObserved, useOnline } from "#web/app/transport/use-observed.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { dropDraft, keepDraft, readDraft } from "#web/ui/draft.ts";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Tab, Tabs } from "#web/ui/tabs.tsx";
import { emptySale, saleDraft, type TypedSale } from "./basket.ts";
import { tillKit } from "./till-kit.ts";
import { useArticles } from "./use-articles.ts";
import styles from "./till.module.css";

const ChargeTab = lazy(async () => ({ default: (await import("./charge-tab.tsx")).ChargeTab }));
const SalesTab = lazy(async () => ({ default: (await import("./sales-tab.tsx")).SalesTab }));
const OfflineDesk = lazy(async () => ({
  default: (await import("./offline-desk.tsx")).OfflineDesk,
}));
const DayTab = lazy(async () => ({ default: (await import("./day-tab.tsx")).DayTab }));

export const TillPage = () => (
  <ForRoles may="charge" title="Caisse">
    <Counters />
  </ForRoles>
);

function Counters() {
  const online = useOnline();
  const kit = useObserved(tillKit);
  const { isKnown: hasPrices } = useArticles();
  const counters = useAnswer(api.till.counters, {}, { enabled: online });
  const company = useAnswer(api.companies.mine, {}, { enabled: online });
  const [{ counter: chosen = "", mode }, change] = useSearchParameters<"till">();
  const [isChoosing, setIsChoosing] = useState(false);
  // Without network, as the device was last told.
  const known = counters.error?.definite ? null : kit;
  const items = counters.data?.items ?? known?.counters ?? [];
  const counter =
    items.find(({ id }) => id === chosen) ?? items.find(({ frozenWhy }) => !frozenWhy) ?? items[0];
  const roles = company.data?.company?.roles ?? known?.roles;
  const decides = roles === undefined || companyCan.decide(roles);
  return (
    <Page dense>
      <PageHeader
        title="Caisse"
        lead={
          counter &&
          items.length > 1 && (
            <span className={styles.counter}>
              {counter.name}
              <Button size="small" kind="ghost" onClick={() => setIsChoosing(!isChoosing)}>
                Changer<span className="unseen"> de point de vente</span>
              </Button>
            </span>
          )
        }
        actions={
          counter && (
            <KioskButton
              isAlone={mode === "caisse"}
              enter="Mode caisse"
              leave="Quitter le mode caisse"
              onAlone={(isAlone) => change({ mode: isAlone ? "caisse" : undefined })}
            />
          )
        }
      />
      {isChoosing && counter && (
        <Select
          label="Point de vente"
          value={counter.id}
          options={items.map(({ id, name, frozenWhy }) => ({
            value: id,
            label: frozenWhy ? `${name} (arrêté)` : name,
          }))}
          onValue={(id) => {
            setIsChoosing(false);
            change({ counter: id, cashier: undefined, sale: undefined });
          }}
        />
      )}
      <Suspense>
        <OfflineDesk counter={counter} />
      </Suspense>
      {!online && !counter && kit !== undefined && (
        <EmptyState icon="wifiOff" title="La caisse n’est pas prête sur cet appareil">
          Ouvrez-la une fois avec le réseau, avant de vendre.
        </EmptyState>
      )}
      {online && (counter ? !hasPrices : counters.isPending || company.isPending) && (
        <Loading label="Ouverture de la caisse…">
          <Skeleton lines={3} height="5rem" />
        </Loading>
      )}
      {online && counters.isError && !counter && counters.error.code !== "company_missing" && (
        <ErrorState title="La caisse n’a pas pu être ouverte." answer={counters} />
      )}
      {(counters.error?.code === "company_missing" || counters.data?.items.length === 0) && (
        <EmptyState
          icon="wallet"
          title="Vous n’avez pas de point de vente"
          action={
            decides && (
              <ButtonLink href={linkTo(paths.contact, {}, { write: "1" })}>Nous écrire</ButtonLink>
            )
          }
        >
          La caisse s’ouvre aux partenaires de l’annuaire.{" "}
          {decides
            ? "Écrivez-nous pour y inscrire votre commerce."
            : "Le responsable de votre entreprise peut l’y inscrire."}
        </EmptyState>
      )}
      {counter && roles && hasPrices && (
        <Till
          key={counter.id}
          counter={counter}
          seesMoney={companyCan.seeMoney(roles)}
          decides={decides}
        />
      )}
    </Page>
  );
}

/** A sale that is half typed outlives other tabs, and a reload of this one. */
function useTypedSale({ id }: TillCounter) {
  const draft = { ...saleDraft, name: `${saleDraft.name}-${id}` };
  const [typed, setTyped] = useState(() => readDraft<TypedSale>(draft, emptySale));
  const type = (next: TypedSale) => {
    setTyped(next);
    if (next === emptySale) dropDraft(draft.name);
    else keepDraft(draft, next);
  };
  return [typed, type] as const;
}

const NeedsNetwork = () => (
  <EmptyState icon="wifiOff" title="Hors connexion">
    Les ventes et la journée se lisent avec le réseau. Ce qui attend d’être débité est gardé sur cet
    appareil et comptera dans la journée en cours à son envoi.
  </EmptyState>
);

/** A frozen counter keeps its sales, to give them back, and its day, to close it. */
function Till({
  counter,
  seesMoney,
  decides,
}: {
  counter: TillCounter;
  seesMoney: boolean;
  decides: boolean;
}) {
  const online = !useServerUnreachable();
  const sells = !counter.frozenWhy;
  const [typed, setTyped] = useTypedSale(counter);
  const first = sells ? "encaisser" : "ventes";
  const [{ tab }, change] = useSearchParameters<"till">();
  const selling: Tab<TabOf<"till">> = {
    value: "encaisser",
    label: "Encaisser",
    content: (
      <Suspense fallback={<Skeleton lines={7} height="3rem" />}>
        <ChargeTab {...{ counter, typed, decides }} onTyped={setTyped} />
      </Suspense>
    ),
  };
  const tabs: readonly Tab<TabOf<"till">>[] = [
    ...(sells ? [selling] : []),
    {
      value: "ventes",
      label: "Ventes",
      content: online ? (
        <Suspense fallback={<Skeleton lines={6} height="3.5rem" />}>
          <SalesTab counter={counter} seesMoney={seesMoney} />
        </Suspense>
      ) : (
        <NeedsNetwork />
      ),
    },
    {
      value: "journee",
      label: "Journée",
      content: online ? (
        <Suspense fallback={<Skeleton lines={4} height="4rem" />}>
          <DayTab counter={counter} mayClose={seesMoney} />
        </Suspense>
      ) : (
        <NeedsNetwork />
      ),
    },
  ];
  return (
    <>
      {!sells && (
        <Banner tone="warning" title="Ce point de vente est arrêté par le réseau.">
          Motif{"\u202f"}: {counter.frozenWhy}. Rien ne s’y encaisse{"\u202f"}; vous pouvez encore
          rembourser une vente et clore la journée.{" "}
          <Link href={linkTo(paths.contact, {}, { write: "1" })}>Nous écrire</Link>
        </Banner>
      )}
      <Tabs
        label="Caisse"
        tabs={tabs}
        value={tabs.find(({ value }) => value === tab)?.value ?? first}
        onValue={(value) => change({ tab: value === first ? undefined : value })}
      />
    </>
  );
}
