// Screens that any route can end on: not found, broken, still coming.
import { type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { spec } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { notFoundTitle } from "#web/ui/page-title.ts";
import { Loading, ResultPage, Skeleton } from "#web/ui/state.tsx";
import type { Wait } from "./route-entry.ts";
import { takeNewVersion } from "./worker.ts";

/** The catch-all of the specification, and every path that is not built yet. */
export const NotFound = () => (
  <ResultPage
    icon="search"
    title={notFoundTitle}
    subtitle="Cette adresse ne mène nulle part. Elle a peut-être changé."
    actions={
      <ButtonLink kind="primary" href={paths.dashboard}>
        Revenir à l’accueil
      </ButtonLink>
    }
  />
);

/** A screen that broke, or whose chunk could not be loaded: never a blank page. */
export const Broken = ({ reset }: Pick<ErrorComponentProps, "reset">) => (
  <ResultPage
    icon="warning"
    tone="warning"
    title="Cette page n’a pas pu s’afficher"
    subtitle="Rien n’est perdu : réessayez, ou rechargez la page."
    actions={
      <>
        <Button kind="primary" icon="refresh" onClick={reset}>
          Réessayer
        </Button>
        <Button onClick={takeNewVersion}>Recharger la page</Button>
      </>
    }
  />
);

/** A screen whose code is on its way: its heading in the frame of its layout, and the place of the rest. */
export function Coming({ title = spec.title, layout, narrow = false, back = false }: Wait) {
  const parts = (
    <>
      <PageHeader title={title} {...(back && { back: "later" })} />
      <Loading>
        <Skeleton lines={4} height="3rem" />
      </Loading>
    </>
  );
  return layout === "entry" ? parts : <Page narrow={narrow}>{parts}</Page>;
}

/** The wait of « État du service », which answers in one word. */
export const HealthWait = ({ title = spec.title }: Wait) => (
  <ResultPage icon="clock" title={title}>
    <Loading>
      <Skeleton height="28rem" />
    </Loading>
  </ResultPage>
);

/**
 * The login is a document of its own, prerendered: the application leaves for it, and takes nothing
 * of the person along. Had the server answered the application at that very address, leaving again
 * would never end.
 */
export function LoginDocument() {
  const loaded = performance.getEntriesByType("navigation")[0]?.name ?? "";
  const here = URL.parse(loaded)?.pathname === paths.login;
  useEffect(() => {
    if (!here) location.replace(location.href);
  }, [here]);
  return here ? (
    <Broken reset={() => location.reload()} />
  ) : (
    <Coming title="Connexion" layout="plain" />
  );
}
