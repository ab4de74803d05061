// The dashboard until its answers are there. It comes with the portal's first file: the shell and this are
// drawn while the server answers.
import { useUser } from "#web/app/transport/use-observed.ts";
import { firstName, ofName } from "#contract/french.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { CardHeroSkeleton } from "#web/cards/card-hero-skeleton.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./dashboard.module.css";

/** The heading, the name of the card's holder once it is known. On a phone the bar above says « Ma carte » already. */
export const DashboardHeader = ({ user, of }: { user: CurrentUser; of?: string | undefined }) => (
  <div className={user.type === 1 ? styles.holderHead : undefined}>
    <PageHeader
      title="Ma carte"
      lead={
        user.previousCardnumber > 0
          ? `Carte ${ofName(of ?? "votre enfant")}`
          : `Bonjour ${user.type === 1 ? firstName(user.name) : user.name}`
      }
    />
  </div>
);

/** The skeletons of the parts to come. */
export function DashboardSkeleton({ of }: { of?: string | undefined }) {
  const user = useUser();
  return (
    <Page>
      <DashboardHeader user={user} of={of} />
      {user.type === 1 ? (
        <div className={styles.dashboard}>
          <div className={styles.hero}>
            <CardHeroSkeleton />
            <div className={styles.heroWait}>
              <Loading label="Chargement de la carte…">
                <Skeleton height="3.5rem" />
              </Loading>
            </div>
          </div>
          <div className={styles.dashboardMain}>
            <MainWait />
          </div>
        </div>
      ) : (
        <ProfessionalWait />
      )}
    </Page>
  );
}

/** The skeletons of a professional's home. */
export const ProfessionalWait = () => (
  <Loading label="Chargement de votre journée…">
    <Sides
      main={
        <>
          <MainWait />
          <MainWait />
        </>
      }
      side={
        <Section>
          <Skeleton lines={3} height="4rem" />
        </Section>
      }
    />
  </Loading>
);

export const MainWait = () => (
  <Section>
    <Skeleton lines={4} height="3.25rem" />
  </Section>
);
