// The three layouts around the screens, filled with what they show: places, person, shared message.
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber, ofName } from "#contract/french.ts";
import { spec } from "#contract/limits.ts";
import { paths, searchNames } from "#contract/paths.ts";
import { fictitiousWords } from "#web/app/shared/fictitious.ts";
import { decide } from "#web/app/shared/guards.ts";
import { isBuilt, type Layout, type Entry } from "#web/app/shared/route-entry.ts";
import { answerOptions, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { logout } from "#web/app/transport/login.ts";
import { sharedMessage } from "#web/app/transport/message.ts";
import {
  actForOneself,
  type CurrentUser,
  currentUser,
  lastUser,
} from "#web/app/transport/session.ts";
import { useLoading, useObserved, useUser } from "#web/app/transport/use-observed.ts";
import { table } from "#web/paths.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { ProgressBar } from "#web/ui/state.tsx";
import { EntryShell } from "./entry.tsx";
import { Footer } from "./footer.tsx";
import { AppShell, type Place } from "./shell.tsx";

/** The menu, in order. A place appears once its screen is built, to those who may enter it. */
const menu: readonly Place[] = [
  { href: paths.wallets, label: "Cagnottes", icon: "wallet" },
  { href: paths.repertory, label: "Répertoire", icon: "pin" },
  { href: paths.services, label: "Services", icon: "grid" },
  { href: paths.family, label: "Famille", icon: "people" },
  { href: paths.profile, label: "Profil", icon: "person" },
  { href: paths.faq, label: "Aide", icon: "help" },
  { href: paths.contact, label: "Contact", icon: "mail" },
];

// What a professional runs is asked for by a piece of its own: a holder's shell carries none of it.
const ProfessionalPlaces = lazy(async () => ({
  default: (await import("./professional-places.tsx")).ProfessionalPlaces,
}));

/** Screens that belong to a place of the menu though their address does not begin like it. */
const within: readonly (readonly [RegExp, string])[] = [
  [/^\/cagnottes\/|^\/services\/[0-9a-f-]{36}\//, paths.wallets],
  [/^\/Abonnement\//, paths.services],
  [/^\/profil\//, paths.profile],
  [/^\/professional\/category/, paths.repertory],
  [/^\/card$/, paths.proCards],
  [/^\/pro\/menu$/, paths.canteenDesk],
];

/** Screens that stand on a counter without the portal's frame, each by the mode that its address names. */
const kiosks: Readonly<Record<string, string>> = {
  [paths.till]: "caisse",
  [paths.mealCounter]: "guichet",
};

/** The address of the place that lights up in the menu for a screen. */
export function currentPlace(pathname: string): string {
  if (pathname === paths.subscription) return paths.services;
  return within.find(([pattern]) => pattern.test(pathname))?.[1] ?? pathname;
}

/** The places of the menu that lead this person somewhere. */
export const placesOf = (user: CurrentUser, entries: readonly Entry[] = table): readonly Place[] =>
  menu.filter(({ href }) => {
    const entry = entries.find(({ path }) => path === href);
    return entry && isBuilt(entry) && decide(entry.guard, { token: "valid", user }).to === null;
  });

/**
 * The portal's shell; `tools` are the bell and what else stands at the top. A slow start draws the layout
 * before the guard has read who is in: until then there is the progress bar alone, as where a password is due first.
 */
export function ShellLayout({ tools }: { tools?: ReactNode }) {
  const user = useObserved(currentUser) ?? lastUser();
  const { pathname, search }: { pathname: string; search: Record<string, unknown> } = useLocation();
  const busy = useLoading();
  const [run, setRun] = useState<readonly Place[]>();
  if (!user || user.isReset) return <ProgressBar busy />;
  return (
    <AppShell
      places={user.type === 1 || run ? [...(run ?? []), ...placesOf(user)] : []}
      card={{ href: paths.dashboard, label: spec.title }}
      person={{ name: user.name, avatar: user.avatar, href: paths.profile }}
      current={currentPlace(pathname)}
      tools={tools}
      notice={
        <>
          <Acting />
          <Fictitious />
        </>
      }
      busy={busy}
      bare={kiosks[pathname] === (search[searchNames.mode] ?? null)}
      onLogout={() => void logout()}
      footer={<Foot />}
    >
      {user.type === 2 && (
        <Suspense>
          <ProfessionalPlaces onPlaces={setRun} />
        </Suspense>
      )}
      <SharedMessage />
      <Outlet />
    </AppShell>
  );
}

export const EntryLayout = () => (
  <EntryShell busy={useLoading()} footer={<Foot />}>
    <SharedMessage />
    <Outlet />
  </EntryShell>
);

export const PublicLayout = () => (
  <EntryShell busy={useLoading()} footer={<Foot />} wide>
    <Outlet />
  </EntryShell>
);

export const PlainLayout = () => (
  <>
    <ProgressBar busy={useLoading()} />
    <main id="contenu" tabIndex={-1}>
      <Outlet />
    </main>
    <Foot />
  </>
);

/**
 * Asks before typed values are lost: to another page, to the way back, to a closed tab of the browser, and to
 * any part of the kit that asks before it takes its part of the screen away.
 */
function Foot() {
  const { data } = useAnswer(api.portal.settings, {});
  return <Footer conformity={data?.accessibility ?? "none"} />;
}

const tones = { error: "danger", success: "success", info: "info" } as const;

/** The shared error/message value of the specification (spec §2). */
function SharedMessage() {
  const message = useObserved(sharedMessage);
  if (!message) return null;
  return (
    <Banner tone={tones[message.kind]} alert>
      {message.text}
    </Banner>
  );
}

/** While acting for a card of the family every page says so, with the way back. */
function Acting() {
  const { cardnumber, previousCardnumber } = useUser();
  const navigate = useNavigate();
  const cards = useAnswer(api.cards.list, {}, { enabled: previousCardnumber > 0 });
  if (previousCardnumber === 0) return null;
  const card = cards.data?.items.find((one) => one.cardnumber === cardnumber);
  const back = () => {
    actForOneself();
    void navigate({ to: paths.dashboard });
  };
  return (
    <section aria-label="Carte pour laquelle vous agissez">
      <Banner
        tone="info"
        title={`Vous agissez pour la carte ${card ? ofName(card.name) : formatCardnumber(cardnumber)}.`}
        actions={
          <Button size="small" icon="back" onClick={back}>
            Revenir à ma carte
          </Button>
        }
      />
    </section>
  );
}

/** Outside demo mode, an installation with the sandbox provider says so on every page (spec.md 20). */
function Fictitious() {
  const { data } = useAnswer(api.portal.settings, {});
  if (!data || data.demo || data.payments !== "sandbox") return null;
  return <Banner tone="warning">{fictitiousWords}</Banner>;
}

/** Entering waits this long for the balance; a slower answer arrives on the screen itself. */
const maxWaitMs = 4000;

/**
 * The main layout loads the card information first (spec §2). When that fails its notification is
 * shown and one enters all the same: the balance offers a retry (spec.md 2).
 */
export async function prepareLayout(layout: Layout): Promise<void> {
  const cardnumber = currentUser.get()?.cardnumber;
  if (layout !== "shell" || cardnumber === undefined) return;
  const loaded = queryClient.fetchQuery(answerOptions(api.wallet.info, { cardnumber }));
  await Promise.race([
    loaded.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, maxWaitMs)),
  ]);
}
