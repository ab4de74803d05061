// What the roles of a professional open: screens, and links to them.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import { companyCan, type CompanyRight, type CompanyRole } from "#contract/companies/roles.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { currentUser } from "#web/app/transport/session.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { table } from "#web/paths.ts";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { ClosedToRole } from "./closed-to-role.tsx";
import type { Entry } from "./route-entry.ts";

const entries: readonly Entry[] = table;

/** What the caller is in their company; none for who has no say in any, undefined until it is known. */
export function useOwnRoles(): readonly CompanyRole[] | undefined {
  const enabled = useObserved(currentUser)?.type === 2;
  const { data } = useAnswer(api.companies.mine, {}, { enabled });
  return data && (data.company?.roles ?? []);
}

/** Whether these roles open the screen of an address; every screen until they are known. */
export function isOpenTo(href: string, roles: readonly CompanyRole[] | undefined): boolean {
  const path = href.replace(/[?#].*/, "");
  const may = entries.find((entry) => entry.path === path)?.may;
  return may === undefined || roles === undefined || companyCan[may](roles);
}

/** The screen, or in its place why it is closed to the roles of the caller. Who has none is told so by the screen. */
export function ForRoles({
  may,
  title,
  children,
}: {
  may: CompanyRight;
  title: string;
  children: ReactNode;
}) {
  const roles = useOwnRoles();
  if (roles === undefined || roles.length === 0 || companyCan[may](roles)) return children;
  return (
    <Page narrow>
      <PageHeader title={title} />
      <ClosedToRole />
    </Page>
  );
}
