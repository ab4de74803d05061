// The services of a day at the canteens of a professional, and the sessions of their events.
import {
  formatCount,
  formatDayInWords,
  formatTime,
  plural,
  spokenDay,
  untilDay,
} from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type {
  HomeService,
  HomeSession,
  ProfessionalHome,
} from "#contract/portal/professional-home.ts";
import { todayInParis } from "#contract/days.ts";
import { companyCan, type CompanyRole } from "#contract/companies/roles.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./professional.module.css";

/** `now` decides what « today » is and which deadlines are past. */
export function ServicesOfDay({
  day,
  services,
  next,
  roles,
  now,
}: NonNullable<ProfessionalHome["canteen"]> & { roles: readonly CompanyRole[]; now: Date }) {
  const today = day === todayInParis(now);
  const sum = (what: "ordered" | "served" | "walkIns" | "toValidate") =>
    services.reduce((total, service) => total + service[what], 0);
  const toValidate = sum("toValidate");
  return (
    <Section title={today ? "Service d’aujourd’hui" : `Prochain service, ${formatDayInWords(day)}`}>
      <dl className={styles.figures}>
        <Figure label="Repas commandés" count={sum("ordered")} />
        {today && <Figure label="Servis" count={sum("served")} />}
        {today && sum("walkIns") > 0 && <Figure label="Sans commande" count={sum("walkIns")} />}
        {toValidate > 0 && <Figure label="À valider" count={toValidate} />}
      </dl>
      <ul>
        {services.map((service) => (
          <li key={service.canteen} className={styles.line}>
            <span className={styles.words}>
              <Text as="span" weight="strong">
                {service.name}
              </Text>
              <Text as="span" tone="soft" size="fine">
                {service.servesFrom} à {service.servesUntil} · {deadlineWords(service, now)}
              </Text>
            </span>
            <Text as="span" weight="strong" numeric noWrap>
              {today
                ? `${formatCount(service.served)} sur ${formatCount(service.ordered + service.walkIns)}`
                : formatCount(service.ordered)}
            </Text>
          </li>
        ))}
      </ul>
      <Row>
        {today && companyCan.serveMeals(roles) && (
          <ButtonLink kind="primary" icon="qr" href={paths.mealCounter}>
            Ouvrir le guichet
          </ButtonLink>
        )}
        {companyCan.cook(roles) && (
          <ButtonLink
            kind={companyCan.serveMeals(roles) ? "secondary" : "primary"}
            icon="meal"
            href={quantitiesOn(day)}
          >
            Quantités à cuisiner
          </ButtonLink>
        )}
        {companyCan.followMeals(roles) && (
          <ButtonLink icon="calendar" href={linkTo(paths.canteenFollowUp, {}, { from: day })}>
            Suivi des repas
          </ButtonLink>
        )}
      </Row>
      {next && <NextService {...next} />}
    </Section>
  );
}

const quantitiesOn = (day: string) => linkTo(paths.canteenDesk, {}, { tab: "quantites", day });

/** The service after it, which a kitchen prepares as well. */
const NextService = ({ day, services }: { day: string; services: readonly HomeService[] }) => (
  <Text tone="soft" size="fine">
    Ensuite, {formatDayInWords(day)}
    {"\u202f"}:{" "}
    {plural(
      services.reduce((sum, { ordered }) => sum + ordered, 0),
      "repas commandé",
      "repas commandés",
    )}
    . <Link href={quantitiesOn(day)}>Voir ces quantités</Link>
  </Text>
);

const Figure = ({ label, count }: { label: string; count: number }) => (
  <div>
    <dt>{label}</dt>
    <dd>{formatCount(count)}</dd>
  </div>
);

function deadlineWords({ orderUntil }: HomeService, now: Date): string {
  if (orderUntil === null) return "commandes fermées";
  if (new Date(orderUntil) <= now) return "commandes closes";
  return `commandes ${untilDay(orderUntil, now)} ${formatTime(orderUntil)}`;
}

/** Sessions with what is sold of their seats, and who came in once the doors are open. */
export const Sessions = ({ list }: { list: readonly HomeSession[] }) => (
  <Section title="Vos prochaines séances">
    <ul>
      {list.map(({ session, title, startsAt, sold, seats, admitted }) => (
        <li key={session} className={styles.line}>
          <span className={styles.words}>
            <Text as="span" weight="strong">
              {title}
            </Text>
            <Text as="span" tone="soft" size="fine">
              {spokenDay(startsAt)} à {formatTime(startsAt)}
              {admitted > 0 && ` · ${plural(admitted, "entré")}`}
            </Text>
          </span>
          <Text as="span" weight="strong" numeric noWrap>
            {sold >= seats ? (
              <Badge tone="success">Complet</Badge>
            ) : (
              `${plural(sold, "vendu")} sur ${formatCount(seats)}`
            )}
          </Text>
        </li>
      ))}
    </ul>
    <Row>
      <ButtonLink icon="ticket" href={paths.ticketControl}>
        Contrôler les billets
      </ButtonLink>
    </Row>
  </Section>
);

/** Of a company that runs a bus network. */
export const Network = () => (
  <Section title="Votre réseau de bus">
    <Row>
      <ButtonLink icon="bus" href={paths.ticketControl}>
        Contrôler les titres
      </ButtonLink>
    </Row>
  </Section>
);
