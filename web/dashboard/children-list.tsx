// The children on the dashboard, a line each: what their wallet holds, as their own screen and the
// family's say it, and the two acts that a parent comes for.
import { cardCan, cardStateNames } from "#contract/cards/rows.ts";
import { firstName, ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { HomeChild } from "#contract/portal/home.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { PersonAvatar } from "#web/app/shared/person-avatar.tsx";
import { TopUpLink } from "#web/wallet/top-up-link.tsx";
import styles from "./children-list.module.css";

export function ChildrenList({ list }: { list: readonly HomeChild[] }) {
  if (list.length === 0) return null;
  return (
    <Section title="Mes enfants">
      <ul className={styles.children}>
        {list.map((child) => (
          <Child key={child.cardnumber} child={child} />
        ))}
      </ul>
    </Section>
  );
}

function Child({ child: { cardnumber, name, state, avatar, wallet } }: { child: HomeChild }) {
  const first = firstName(name);
  return (
    <li className={styles.child}>
      <Link className={styles.childWho} href={linkTo(paths.familyMember, { cardnumber })}>
        <PersonAvatar name={name} avatar={avatar} size="small" />
        <span className={styles.childWords}>
          <span className={styles.childName}>{first}</span>
          {wallet && (
            <span>
              <Money cents={wallet.balanceCents} />
              {wallet.projectedCents !== wallet.balanceCents && (
                <span className={styles.childBooked}>
                  , <Money cents={wallet.projectedCents} /> après réservations
                </span>
              )}
            </span>
          )}
        </span>
      </Link>
      {state !== "active" && (
        <Badge tone={state === "opposed" ? "danger" : "warning"}>{cardStateNames[state]}</Badge>
      )}
      {wallet && !wallet.frozen && cardCan.spend({ state }) && (
        <span className={styles.childActs}>
          <TopUpLink wallet={wallet} size="small">
            Recharger<span className="unseen"> la carte {ofName(first)}</span>
          </TopUpLink>
          <ButtonLink size="small" href={linkTo(paths.transfer, {}, { recipient: cardnumber })}>
            Envoyer<span className="unseen"> à {first}</span>
          </ButtonLink>
        </span>
      )}
    </li>
  );
}
