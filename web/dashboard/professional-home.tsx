// « Ma carte » of a professional: what waits, the service and the sessions of the day, the last scans;
// beside them what is owed, the sheet of the directory and the pro card (spec.md 26).
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { companyCan, roleWords } from "#contract/companies/roles.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { ProfessionalHome as Home } from "#contract/portal/professional-home.ts";
import { answerOptions, isFirstRead, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { unsent } from "#web/app/transport/sealed.ts";
import { sealed } from "#web/app/transport/session.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { ActionLink, Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/state.tsx";
import { ProfessionalWait } from "./dashboard-skeleton.tsx";
import { OwnPhone } from "./own-phone.tsx";
import { ProfessionalCard } from "./professional-card.tsx";
import { Network, ServicesOfDay, Sessions } from "./professional-day.tsx";
import { Owed } from "./professional-owed.tsx";
import { LastScans } from "./professional-scans.tsx";
import { OwnSheet } from "./professional-sheet.tsx";
import { OwnTill, TillTotals } from "./professional-till.tsx";
import { aboutProfessional } from "./professional-to-dos.ts";
import { FirstSteps } from "./first-steps.tsx";
import { thingsToDo } from "./things-to-do.ts";
import { ToDoList } from "./to-do-list.tsx";

const UnsentTill = lazy(async () => ({
  default: (await import("./unsent-till.tsx")).UnsentTill,
}));

const Staff = lazy(async () => ({ default: (await import("./professional-staff.tsx")).Staff }));

/** Figures of a service follow it without a press. */
const pollMs = 60_000;

export function ProfessionalHome() {
  const user = useUser();
  const [openedAt] = useState(() => new Date());
  const [keepsCharges] = useState(() => sealed.names(`${unsent}charge/`).length > 0);
  const home = useAnswer(api.home.professional, {}, { atOnce: true, pollMs });
  const cards = useAnswer(api.cards.list, {});
  const card = cards.data?.items.find(({ relation }) => relation === "self") ?? null;
  const wallets = useAnswer(api.wallet.list, { cardnumber: user.cardnumber });
  // Money that is drawn above and beside the rest: it is waited for too, so that nothing moves for it.
  const money = home.data && seesMoney(home.data) ? home.data : null;
  const owed = useAnswer(api.settlement.summary, {}, { enabled: money !== null && isOwed(money) });
  const roles = home.data?.company?.roles ?? [];
  const charges = companyCan.charge(roles);
  const sheets = charges ? (home.data?.sheets.filter(({ listed }) => listed) ?? []) : [];
  const tills = useQuery({
    queryKey: ["tills", ...sheets.map(({ id }) => id)],
    queryFn: () => Promise.all(sheets.map(({ id }) => queryClient.prefetchQuery(tillOf(id)))),
    enabled: sheets.length > 0,
  });
  const header = (
    <PageHeader title="Ma carte" lead={greetingOf(user.name, home.data?.company ?? null)} />
  );
  if (home.isPending || [cards, wallets, owed, tills].some(isFirstRead)) {
    return (
      <Page>
        {header}
        <ProfessionalWait />
      </Page>
    );
  }
  // Whoever cannot resume their card carries one of their company.
  const carriesOnly = card?.canResume === false;
  const list = [
    ...aboutProfessional(home.data?.toDos ?? []),
    ...thingsToDo({ user, card, wallets: [], now: openedAt, minor: carriesOnly }),
  ];
  // Of who keeps the accounts they are the work: above the rest.
  const accounts = money !== null && !companyCan.decide(roles);
  const owedHere = money && isOwed(money) && <Owed meals={money.canteen !== null} />;
  return (
    <Page>
      {header}
      <Sides
        main={
          <>
            {keepsCharges && (
              <Suspense fallback={null}>
                <UnsentTill />
              </Suspense>
            )}
            <ToDoList list={list} card={card} topUp={null} initialCount={4} />
            {home.data && home.data.firstSteps.length > 0 && (
              <FirstSteps steps={home.data.firstSteps} />
            )}
            {sheets.map((sheet) =>
              money ? (
                <TillTotals key={sheet.id} sheet={sheet} />
              ) : (
                <OwnTill key={sheet.id} sheet={sheet} />
              ),
            )}
            {accounts && <Accounts />}
            {accounts && owedHere}
            {home.data ? (
              <Activity home={home.data} carriesOnly={carriesOnly} now={openedAt} />
            ) : (
              <ErrorState title="Votre journée n’a pas pu être chargée." answer={home} />
            )}
          </>
        }
        side={
          <>
            {!accounts && owedHere}
            {charges &&
              home.data?.sheets.map((sheet) => (
                <OwnSheet key={sheet.id} sheet={sheet} decides={companyCan.decide(roles)} />
              ))}
            {money && (
              <Section title="Cartes pro">
                <ActionLink href={paths.proCards} icon="people" title="Les cartes de l’entreprise">
                  Qui les porte, ce qu’elles peuvent dépenser
                </ActionLink>
              </Section>
            )}
            <ProfessionalCard card={card} cards={cards} />
            <OwnPhone />
          </>
        }
      />
    </Page>
  );
}

const tillOf = (partner: string) => answerOptions(api.till.running, { partner });

const seesMoney = ({ company }: Home): boolean =>
  company !== null && companyCan.seeMoney(company.roles);

const Accounts = () => (
  <Section title="Factures">
    <ActionLink href={paths.invoices} icon="document" title="Les factures de l’entreprise">
      Ce qui est à payer, en retard ou déjà réglé
    </ActionLink>
  </Section>
);

/** Whether the account sells something through the portal. */
const isOwed = ({ canteen, sheets, sessions, runsNetwork }: Home): boolean =>
  canteen !== null || sheets.length > 0 || sessions.length > 0 || runsNetwork;

/** « Marie Dupont · Les Tables du Lagon, caisse »: a company under its own name is not told twice. */
function greetingOf(name: string, company: Home["company"]): string {
  if (!company) return `Bonjour ${name}`;
  const role = roleWords(company.roles).toLowerCase();
  return company.name === name ? `Bonjour ${name}` : `Bonjour ${name} · ${company.name}, ${role}`;
}

function Activity({
  home: { company, canteen, grants, sessions, runsNetwork, scans, sheets },
  carriesOnly,
  now,
}: {
  home: Home;
  carriesOnly: boolean;
  now: Date;
}) {
  const roles = company?.roles ?? [];
  const charges = companyCan.charge(roles);
  if (!company && carriesOnly) return <CarriedCard />;
  if (!canteen && sessions.length === 0 && !runsNetwork && scans.length === 0) {
    // The till of a cashier stands above.
    if (sheets.length > 0 && charges) return companyCan.seeMoney(roles) ? <SheetOnly /> : null;
    return grants ? (
      <Suspense fallback={<Skeleton lines={4} height="4rem" />}>
        <Staff grants={grants} />
      </Suspense>
    ) : (
      <NothingYet decides={!company || companyCan.decide(company.roles)} />
    );
  }
  return (
    <>
      {canteen && <ServicesOfDay {...canteen} roles={roles} now={now} />}
      {sessions.length > 0 && <Sessions list={sessions} />}
      {runsNetwork && <Network />}
      {((canteen && companyCan.followMeals(roles)) || runsNetwork || scans.length > 0) && (
        <LastScans list={scans} />
      )}
    </>
  );
}

/** A partner that the directory shows, without a canteen nor an event. */
const SheetOnly = () => (
  <Section title="Aujourd’hui">
    <EmptyState icon="calendar" title="Rien à suivre aujourd’hui">
      Les séances de vos événements et vos derniers passages s’afficheront ici.
    </EmptyState>
  </Section>
);

/** Whoever carries a card of their company and has no role there. */
const CarriedCard = () => (
  <Section title="Votre carte">
    <EmptyState icon="card" title="Votre entreprise vous confie cette carte">
      Payez avec, suivez ses opérations. Perdue ou volée{"\u202f"}? Mettez-la en opposition
      {"\u202f"}: votre responsable est prévenu et une nouvelle carte est demandée.
    </EmptyState>
  </Section>
);

/** An account that nothing is attached to yet: what is true of it, and what can be done. */
const NothingYet = ({ decides }: { decides: boolean }) => (
  <>
    <Section title="Votre activité">
      <EmptyState
        icon="compass"
        title="Aucune activité n’est encore rattachée à votre compte"
        action={
          decides && (
            <ButtonLink href={linkTo(paths.contact, {}, { write: "1" })}>Nous écrire</ButtonLink>
          )
        }
      >
        {decides
          ? "Une fiche dans l’annuaire, un restaurant ou un événement\u202f: écrivez-nous pour ouvrir les vôtres. Ils s’afficheront ici."
          : "Une fiche dans l’annuaire, un restaurant ou un événement de votre entreprise s’afficheront ici. Son responsable peut les demander."}
      </EmptyState>
    </Section>
    <Section title="Dès maintenant">
      <Stack gap={8}>
        <ActionLink href={paths.repertory} icon="pin" title="Le répertoire">
          Les partenaires de la carte, près de vous et ouverts maintenant
        </ActionLink>
        <ActionLink href={paths.services} icon="grid" title="Les services">
          Ce que la carte offre à votre entreprise
        </ActionLink>
      </Stack>
    </Section>
  </>
);
