// Employers that ask to pay a share of one's passes, or of a child's, accepted or refused here, and left at
// will: shown where the passes are bought.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { OwnEnrolment } from "#contract/commuting/rows.ts";
import { type EnrolmentState, enrolmentStateNames } from "#contract/commuting/states.ts";
import { groupSiren } from "#contract/companies/siren.ts";
import { firstName, untilDay } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { placed } from "#web/app/shared/place.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, Banner, ProblemBanner, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { Row } from "#web/ui/stack.tsx";

const tones: Partial<Record<EnrolmentState, Tone>> = { active: "success", suspended: "warning" };

export function Employers({ items }: { items: readonly OwnEnrolment[] }) {
  const [done, setDone] = useState<OwnEnrolment | null>(null);
  return (
    <>
      {done && <Done one={done} />}
      {items.map((one) => (
        <div key={one.id} {...placed("enrolment", one.id, `Mon employeur\u202f: ${one.company}`)}>
          <Employer one={one} onSettled={setDone} />
        </div>
      ))}
    </>
  );
}

function Done({ one: { state, company, employerPercent } }: { one: OwnEnrolment }) {
  if (state === "active") {
    return (
      <Banner tone="success" alert title="C’est accepté.">
        {company} paie {employerPercent}&#8239;% de vos prochains abonnements. Le prix en tient
        compte dès maintenant.
      </Banner>
    );
  }
  return (
    <Banner tone="info" alert title={state === "declined" ? "C’est refusé." : "C’est terminé."}>
      {company} ne paie rien de vos prochains abonnements.
    </Banner>
  );
}

function Employer({
  one,
  onSettled,
}: {
  one: OwnEnrolment;
  onSettled: (one: OwnEnrolment) => void;
}) {
  const { company, siren, state, name, holder, own, employerPercent, passes, network } = one;
  return (
    <Section
      title={`Mon employeur\u202f: ${company}`}
      action={<Badge tone={tones[state] ?? "info"}>{enrolmentStateNames[state]}</Badge>}
    >
      <DefinitionList
        items={[
          { label: "Paie de chaque abonnement", value: `${employerPercent}\u202f%` },
          { label: "Reste à votre charge", value: `${100 - employerPercent}\u202f%` },
          {
            label: "Abonnements",
            value: `${passes.map((pass) => pass.name).join(", ")}, ${network}`,
          },
          { label: "Vous inscrit comme", value: name },
          own ? null : { label: "Carte de", value: firstName(holder) },
          siren === null ? null : { label: "SIREN", value: groupSiren(siren) },
          one.expiresAt === null
            ? null
            : { label: "Vous pouvez répondre", value: untilDay(one.expiresAt) },
        ]}
      />
      <p>
        {company} voit le titre acheté, ses dates et son prix. Jamais vos trajets, ni vos autres
        achats.
      </p>
      {state === "invited" && <Answer one={one} onSettled={onSettled} />}
      {state !== "invited" && <Running one={one} onSettled={onSettled} />}
    </Section>
  );
}

function Answer({
  one: { id, own, holder, company },
  onSettled,
}: {
  one: OwnEnrolment;
  onSettled: (one: OwnEnrolment) => void;
}) {
  const answering = useAction(
    (accept: boolean) => call(api.commuting.answer, { enrolment: id, accept }),
    { onDone: onSettled },
  );
  return (
    <>
      <p>
        {own ? "Si vous y travaillez" : `Si ${firstName(holder)} y travaille`}, acceptez. Sinon,
        refusez&#8239;: {company} le saura.
      </p>
      <ProblemBanner problem={answering.problem} />
      <Row>
        <Button
          kind="primary"
          icon="check"
          loading={answering.isPending && answering.variables}
          onClick={() => answering.send(true)}
        >
          Accepter
        </Button>
        <Button disabled={answering.isPending} onClick={() => answering.send(false)}>
          Refuser
        </Button>
      </Row>
    </>
  );
}

function Running({
  one: { id, company, state },
  onSettled,
}: {
  one: OwnEnrolment;
  onSettled: (one: OwnEnrolment) => void;
}) {
  const [asking, setAsking] = useState(false);
  const leaving = useAction(() => call(api.commuting.leave, { enrolment: id }), {
    onDone: onSettled,
  });
  return (
    <>
      {state === "suspended" && (
        <Banner tone="warning" title="Suspendu par votre employeur.">
          Vos achats sont au prix entier jusqu’à la reprise.
        </Banner>
      )}
      <Row>
        <Button kind="ghost" onClick={() => setAsking(true)}>
          Quitter<span className="unseen"> {company}</span>
        </Button>
      </Row>
      <ConfirmAction
        act={leaving}
        open={asking}
        onClose={() => setAsking(false)}
        title={`Quitter ${company}\u202f?`}
        confirm="Quitter"
        cancel="Revenir"
        danger
      >
        Vos prochains abonnements seront au prix entier. Les titres déjà achetés restent valables.
      </ConfirmAction>
    </>
  );
}
