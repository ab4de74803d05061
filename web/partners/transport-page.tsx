// One transport service for the employees of a company: what it costs whom, and on which conditions
// (spec §2 Transport_mobile). It is read from the session's cache, fetched only when there is none.
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { formatMoney, plural } from "#contract/french.ts";
import type { TransportService } from "#contract/partners/rows.ts";
import { NotFound } from "#web/app/states.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { DefinitionList, Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { servicePath } from "./service-paths.ts";
import { useTransport } from "./transport.ts";
import { phoneText } from "./words.ts";
import styles from "./services.module.css";

export function TransportPage() {
  const { code = "", id = "" } = useParams({ strict: false });
  const { data, error, isFetching, refetch } = useTransport();
  const found = data?.find((one) => one.id === id && one.code === code);
  if (found) return <Offer one={found} />;
  if (data) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title="Transport des salariés"
        back={{ href: servicePath(code), label: "Toutes les offres" }}
      />
      {error ? (
        <ErrorState
          title="Cette offre n’a pas pu être chargée."
          answer={{ error, isFetching, refetch }}
        />
      ) : (
        <Loading label="Chargement de l’offre…">
          <Skeleton height="20rem" />
        </Loading>
      )}
    </Page>
  );
}

/** The employer's part of a month for one employee, rounded to the cent in the employee's favour. */
const employerCents = ({ monthlyCents, employerPercent }: TransportService): number =>
  Math.ceil((monthlyCents * (employerPercent ?? 0)) / 100);

function Offer({ one }: { one: TransportService }) {
  const share = employerCents(one);
  return (
    <Page>
      <PageHeader
        title={one.name}
        lead={one.summary}
        back={{ href: servicePath(one.code ?? ""), label: "Toutes les offres" }}
      />
      <Sides
        main={
          <>
            <Section title="Par salarié et par mois">
              <DefinitionList
                items={[
                  { label: "Prix de l’offre", value: <Money cents={one.monthlyCents} /> },
                  {
                    label: `Votre part, ${one.employerPercent ?? 0}\u202f%`,
                    value: <Money cents={share} />,
                  },
                  {
                    label: "Part du salarié",
                    value: <Money cents={one.monthlyCents - share} />,
                  },
                  { label: "Réseau", value: one.network },
                ]}
              />
            </Section>
            <Section title="Conditions">
              <ul className={styles.conditions}>
                {one.conditions.map((condition) => (
                  <li key={condition}>
                    <Icon name="check" size={20} />
                    <span>{condition}</span>
                  </li>
                ))}
              </ul>
            </Section>
          </>
        }
        side={
          <>
            <Estimate one={one} />
            <Contact one={one} />
          </>
        }
      />
    </Page>
  );
}

const mostEmployees = 100_000;

/** What the company pays, for a number of employees that is typed. */
function Estimate({ one }: { one: TransportService }) {
  const [typed, setTyped] = useState("10");
  const employees = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  const known = employees >= 1 && employees <= mostEmployees;
  const monthly = employerCents(one) * employees;
  return (
    <Section title="Estimer votre budget">
      <TextInput
        label="Nombre de salariés"
        inputMode="numeric"
        maxLength={6}
        value={typed}
        onValue={setTyped}
        error={known ? undefined : "Indiquez un nombre entre 1 et 100 000."}
      />
      <output className={styles.estimate}>
        {known && (
          <>
            <span className={styles.estimateLabel}>À votre charge chaque mois</span>
            <Money cents={monthly} size="hero" />
            <span className={styles.estimateLabel}>
              {formatMoney(monthly * 12)} sur un an, pour {plural(employees, "salarié")}
            </span>
          </>
        )}
      </output>
    </Section>
  );
}

function Contact({ one: { phone, email, name } }: { one: TransportService }) {
  if (phone === null && email === null) return null;
  return (
    <Section title="Mettre en place l’offre">
      <p>Le réseau répond à vos questions et fixe avec vous la date de départ.</p>
      <div className={styles.serviceActs}>
        {email !== null && (
          <ButtonLink
            kind="primary"
            icon="mail"
            href={`mailto:${email}?subject=${encodeURIComponent(name)}`}
          >
            Écrire au réseau
          </ButtonLink>
        )}
        {phone !== null && (
          <ButtonLink icon="phone" href={`tel:${phone}`}>
            {phoneText(phone)}
          </ButtonLink>
        )}
      </div>
    </Section>
  );
}
