// An offer: its prices, the share that the company pays, the conditions, and the network to write to.
import { useState } from "react";
import { employerShareOf } from "#contract/commuting/law.ts";
import type { CommutingPlan, GrantedPass } from "#contract/commuting/rows.ts";
import { formatMoney, plural } from "#contract/french.ts";
import type { TransportService } from "#contract/partners/rows.ts";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { DefinitionList, Section, Sides } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { ShareSection } from "./share-section.tsx";

export function OfferTab({ one, plan }: { one: TransportService; plan: CommutingPlan | null }) {
  const percent = plan?.employerPercent ?? one.employerPercent ?? 0;
  const month = plan?.passes.find(({ kind }) => kind === "month");
  const monthlyCents = month?.priceCents ?? one.monthlyCents;
  return (
    <Sides
      main={
        <>
          {plan && <ShareSection plan={plan} />}
          {plan ? (
            <Prices passes={plan.passes} percent={percent} />
          ) : (
            <Monthly one={one} percent={percent} />
          )}
          <Section title="Conditions">
            <Stack gap={8}>
              {one.conditions.map((condition) => (
                <p key={condition}>{condition}</p>
              ))}
            </Stack>
          </Section>
        </>
      }
      side={
        <>
          <Estimate shareCents={employerShareOf(monthlyCents, percent)} />
          <Contact one={one} />
        </>
      }
    />
  );
}

function Monthly({ one, percent }: { one: TransportService; percent: number }) {
  const share = employerShareOf(one.monthlyCents, percent);
  return (
    <Section title="Par salarié et par mois">
      <DefinitionList
        items={[
          { label: "Prix de l’offre", value: <Money cents={one.monthlyCents} /> },
          { label: `Part de l’employeur, ${percent}\u202f%`, value: <Money cents={share} /> },
          { label: "Part du salarié", value: <Money cents={one.monthlyCents - share} /> },
          { label: "Réseau", value: one.network },
        ]}
      />
    </Section>
  );
}

function columnsOf(percent: number): Column<GrantedPass>[] {
  const share = ({ priceCents }: GrantedPass) => employerShareOf(priceCents, percent);
  return [
    { key: "name", label: "Abonnement", place: "title", cell: ({ name }) => name },
    {
      key: "price",
      label: "Prix",
      align: "end",
      cell: ({ priceCents }) => <Money cents={priceCents} />,
    },
    {
      key: "share",
      label: `Votre part, ${percent}\u202f%`,
      align: "end",
      cell: (one) => <Money cents={share(one)} />,
    },
    {
      key: "own",
      label: "Part du salarié",
      align: "end",
      cell: (one) => <Money cents={one.priceCents - share(one)} />,
    },
  ];
}

function Prices({ passes, percent }: { passes: readonly GrantedPass[]; percent: number }) {
  const columns = columnsOf(percent);
  return (
    <Section title="Abonnements compris">
      <Table
        caption="Abonnements compris"
        columns={columns}
        rows={passes}
        keyOf={({ name }) => name}
      />
      <p>
        Au plein tarif. Votre part se calcule sur le prix réel du salarié, après ses réductions.
      </p>
    </Section>
  );
}

const maxEmployees = 100_000;

/** What the company pays each month, for a number of employees that is typed. */
function Estimate({ shareCents }: { shareCents: number }) {
  const [typed, setTyped] = useState("10");
  const employees = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  const known = employees >= 1 && employees <= maxEmployees;
  const monthly = shareCents * employees;
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
      <output>
        {known && (
          <Stack gap={8}>
            <span>À la charge de l’employeur chaque mois</span>
            <Money cents={monthly} size="hero" />
            <span>
              {formatMoney(monthly * 12)} sur un an, pour {plural(employees, "salarié")}
            </span>
          </Stack>
        )}
      </output>
    </Section>
  );
}

function Contact({ one: { phone, email, name } }: { one: TransportService }) {
  if (phone === null && email === null) return null;
  return (
    <Section title={"Une question\u202f?"}>
      <p>Le réseau répond sur l’offre, ses lignes et ses titres.</p>
      <Row>
        {email !== null && (
          <ButtonLink icon="mail" href={`mailto:${email}?subject=${encodeURIComponent(name)}`}>
            Écrire au réseau
          </ButtonLink>
        )}
        {phone !== null && (
          <ButtonLink icon="phone" href={`tel:${phone}`}>
            {frenchPhone(phone)}
          </ButtonLink>
        )}
      </Row>
    </Section>
  );
}
