// The share that a company pays: what it is, what the law says, and its change by the owner.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { employerMinimum, exemptionOn } from "#contract/commuting/law.ts";
import type { CommutingPlan } from "#contract/commuting/rows.ts";
import { todayInParis } from "#contract/days.ts";
import { formatDate, plural } from "#contract/french.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";

export function ShareSection({ plan }: { plan: CommutingPlan }) {
  const [asking, setAsking] = useState(false);
  const { employerPercent: percent, canDecide, company } = plan;
  return (
    <Section title="Votre part">
      {percent === null ? (
        <Banner tone="info" title={`${company} ne paie encore rien.`}>
          {canDecide
            ? "Fixez votre part, puis inscrivez vos salariés. Elle est déduite de leurs achats, et facturée à la fin du mois."
            : "Le responsable de votre entreprise fixe la part et inscrit les salariés."}
        </Banner>
      ) : (
        <p>
          <strong>{percent}&#8239;%</strong> du prix de chaque abonnement.{" "}
          {plural(plan.active, "salarié inscrit", "salariés inscrits")}
          {plan.invited > 0 &&
            `, ${plural(plan.invited, "réponse attendue", "réponses attendues")}`}
          .
        </p>
      )}
      <Law percent={percent} />
      {canDecide && (
        <Row>
          <Button
            kind={percent === null ? "primary" : "secondary"}
            icon="edit"
            onClick={() => setAsking(true)}
          >
            {percent === null ? "Fixer notre part" : "Changer notre part"}
          </Button>
        </Row>
      )}
      <Dialog open={asking} onClose={() => setAsking(false)} title="Part de votre entreprise">
        <ShareForm plan={plan} onDone={() => setAsking(false)} />
      </Dialog>
    </Section>
  );
}

/** The minimum and the exemption in force today, with their sources. */
function Law({ percent }: { percent: number | null }) {
  const exemption = exemptionOn(todayInParis());
  const until = exemption.until === null ? "" : `, jusqu’au ${formatDate(exemption.until)}`;
  return (
    <Stack gap={8}>
      <p>
        Au moins {employerMinimum.percent}&#8239;%&#8239;: {employerMinimum.source}.
      </p>
      <p>
        Sans cotisations ni impôt jusqu’à {exemption.percent}&#8239;%{until}&#8239;:{" "}
        {exemption.source}.
      </p>
      {percent !== null && percent > exemption.percent && (
        <p>
          Au-delà, la part est un avantage à déclarer&#8239;: la liste de paie le dit par salarié.
        </p>
      )}
    </Stack>
  );
}

interface Typed {
  percent: string;
}

const read = (typed: string): number =>
  /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : Number.NaN;

function ShareForm({ plan, onDone }: { plan: CommutingPlan; onDone: () => void }) {
  const sending = useAction(
    ({ percent }: Typed) =>
      call(api.commuting.setShare, { service: plan.service, employerPercent: read(percent) }),
    {
      onDone: (next) => {
        queryClient.setQueryData(keyOf(api.commuting.plan, { service: plan.service }), next);
        onDone();
      },
    },
  );
  const { percent: least } = employerMinimum;
  const { field, problem, form } = useForm<Typed>(
    { percent: String(plan.employerPercent ?? least) },
    ({ percent }) => ({
      percent:
        !(read(percent) >= least && read(percent) <= 100) &&
        `Indiquez un nombre entre ${least} et 100.`,
    }),
    sending,
    { problemFields: { commuting_minimum: "percent" } },
  );
  return (
    <form {...form}>
      <TextInput
        label="Part de chaque abonnement, en %"
        inputMode="numeric"
        maxLength={3}
        hint={`De ${least} à 100. Elle vaut pour les achats à venir.`}
        {...field("percent")}
      />
      {plan.active > 0 && (
        <p>
          {plural(plan.active, "salarié sera prévenu", "salariés seront prévenus")}. Ce qui est déjà
          acheté ne change pas.
        </p>
      )}
      <ProblemBanner problem={problem} />
      <FormActions submit="Enregistrer" isSending={sending.isPending} onCancel={onDone} />
    </form>
  );
}
