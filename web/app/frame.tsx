// The three layouts around the screens, filled with what they show: places, person, shared message.
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber } from "#contract/french.ts";
import { spec } from "#contract/limits.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { ProgressBar } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import { type RouteName, table } from "../routes.tsx";
import type { Entry, Layout } from "./route-entry.ts";
import { answerOptions, queryClient, useAnswer } from "./answers.ts";
import { ApiProblem } from "./api.ts";
import { decide, paths } from "./guards.ts";
import { logout } from "./login.ts";
import { sharedMessage } from "./message.ts";
import { actForOneself, type CurrentUser, currentUser } from "./session.ts";
import { EntryShell } from "./shell/entry.tsx";
import { AppShell, type Place } from "./shell/shell.tsx";
import { useLoading, useObserved, useUser } from "./use-observed.ts";

/** The menu, in order. A place appears once its screen is built, to those who may enter it. */
const menu: readonly { name: RouteName; label: string; icon: IconName }[] = [
  { name: "services_cagnotte_public", label: "Cagnottes", icon: "wallet" },
  { name: "services_list_local", label: "Services", icon: "grid" },
  { name: "family", label: "Famille", icon: "people" },
  { name: "profil", label: "Profil", icon: "person" },
  { name: "faq", label: "Aide", icon: "help" },
  { name: "contact", label: "Contact", icon: "mail" },
];

/** The places of the menu that lead this person somewhere. */
export function placesOf(user: CurrentUser, entries: readonly Entry[] = table): Place[] {
  return menu.flatMap(({ name, label, icon }) => {
    const entry = entries.find((candidate) => candidate.name === name);
    const open = entry?.screen && decide(entry.guard, { token: "valid", user }).to === null;
    return open ? [{ href: entry.path, label, icon }] : [];
  });
}

/** The portal's shell; `tools` are the bell and what else stands at the top. */
export function ShellLayout({ tools }: { tools?: ReactNode }) {
  const user = useUser();
  const { pathname } = useLocation();
  return (
    <AppShell
      places={placesOf(user)}
      card={{ href: paths.home, label: spec.title }}
      person={{ name: user.name, avatar: user.avatar, href: "/profil" }}
      current={pathname}
      tools={tools}
      notice={
        <>
          <Acting />
          <Fictitious />
        </>
      }
      busy={useLoading()}
      onLogout={() => void logout()}
    >
      <SharedMessage />
      <Outlet />
    </AppShell>
  );
}

export const EntryLayout = () => (
  <EntryShell busy={useLoading()}>
    <SharedMessage />
    <Outlet />
  </EntryShell>
);

export const PlainLayout = () => (
  <>
    <ProgressBar busy={useLoading()} />
    <main id="contenu" className="plain" tabIndex={-1}>
      <Outlet />
    </main>
  </>
);

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
    void navigate({ to: paths.home });
  };
  return (
    <section aria-label="Carte pour laquelle vous agissez">
      <Banner
        tone="info"
        title={`Vous agissez pour la carte ${card ? `de ${card.name}` : formatCardnumber(cardnumber)}.`}
        actions={
          <Button size="small" icon="back" onClick={back}>
            Revenir à ma carte
          </Button>
        }
      />
    </section>
  );
}

/** Outside demo mode, an installation with the sandbox provider says so on every page (décision 20). */
function Fictitious() {
  const { data } = useAnswer(api.portal.settings, {});
  if (!data || data.demo || data.payments !== "sandbox") return null;
  return <Banner tone="warning">Paiements fictifs : aucune carte bancaire n’est débitée.</Banner>;
}

/** Entering waits this long for the balance; a slower answer arrives on the screen itself. */
const longestWaitMs = 4000;

/**
 * The main layout loads the card information first (spec §2). When that fails its notification is
 * shown and one enters all the same: the balance offers a retry (décision 2).
 */
export async function prepareLayout(layout: Layout): Promise<void> {
  const cardnumber = currentUser.get()?.cardnumber;
  if (layout !== "shell" || cardnumber === undefined) return;
  const loaded = queryClient.fetchQuery(answerOptions(api.wallet.info, { cardnumber }));
  const told = loaded.catch((error: unknown) => {
    if (error instanceof ApiProblem && currentUser.get()) {
      notify({ text: error.message, kind: "error" });
    }
  });
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, longestWaitMs))]);
}
