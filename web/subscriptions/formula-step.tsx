// First step: the formulas as they are for this card, with their price and whom they are open to.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import { paperNames } from "#contract/subscription-states.ts";
import type { OfferedFormula } from "#contract/subscriptions.ts";
import { useAnswer } from "#web/app/answers.ts";
import { NotFound } from "#web/app/states.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { backTo, leadOf, useGo } from "./place.ts";
import { steps, stepsLabel } from "./steps.ts";
import { useStep } from "./use-file.ts";

export function FormulaStep({
  cardnumber,
  chosen,
}: {
  cardnumber: number;
  /** The formula of the file that is open, null without one. */
  chosen: string | null;
}) {
  const answer = useAnswer(api.subscriptions.offer, { cardnumber });
  const go = useGo();
  const choose = useStep(api.subscriptions.choose, ({ id }) =>
    go({ dossier: id, etape: "titulaire" }),
  );
  const [picked, setPicked] = useState(chosen);
  const [missing, setMissing] = useState(false);
  if (answer.error?.code === "not_found" || answer.error?.code === "invalid_input") {
    return <NotFound />;
  }
  const formulas = answer.data?.formulas ?? [];
  const next = () => {
    if (!picked) setMissing(true);
    else choose.mutate({ cardnumber, formula: picked });
  };
  return (
    <Page>
      <PageHeader
        title="S’abonner"
        lead={answer.data ? leadOf(answer.data.holder) : "\u00a0"}
        back={backTo(cardnumber)}
      />
      <Section>
        <Stepper label={stepsLabel} steps={steps} current={0} />
        {answer.isPending && (
          <Loading label="Chargement des formules…">
            <div className="formulas">
              <Skeleton lines={4} height="16rem" />
            </div>
          </Loading>
        )}
        {answer.isError && !answer.data && (
          <ErrorState
            title="Les formules n’ont pas pu être chargées."
            message={answer.error.message}
            retrying={answer.isFetching}
            onRetry={() => void answer.refetch()}
          />
        )}
        {formulas.length > 0 && (
          <>
            <fieldset className="formula-choice" aria-describedby="formula-missing">
              <legend>
                <h2 className="subscription-step">Choisissez une formule</h2>
              </legend>
              <div className="formulas">
                {formulas.map((one) => (
                  <FormulaCard
                    key={one.code}
                    one={one}
                    picked={picked === one.code}
                    onPick={() => {
                      setPicked(one.code);
                      setMissing(false);
                    }}
                  />
                ))}
              </div>
              <FieldError
                id="formula-missing"
                error={missing && "Choisissez une formule pour continuer."}
              />
            </fieldset>
            {choose.error && (
              <Banner tone="danger" alert title="Cette formule n’a pas été retenue.">
                {choose.error.message}
              </Banner>
            )}
            <div className="subscription-next">
              <Button kind="primary" iconEnd="forward" loading={choose.isPending} onClick={next}>
                Continuer
              </Button>
            </div>
          </>
        )}
      </Section>
    </Page>
  );
}

function FormulaCard({
  one,
  picked,
  onPick,
}: {
  one: OfferedFormula;
  picked: boolean;
  onPick: () => void;
}) {
  const { code, name, summary, opens, open, quote, covers, papers, conditions } = one;
  const first = quote.lines[0]?.amountCents ?? quote.totalCents;
  const why = quote.lines.slice(1).map((line) => line.label);
  return (
    <div className="formula" data-closed={!open || undefined}>
      <label className="formula-top">
        <input
          className="formula-radio"
          type="radio"
          name="formula"
          aria-describedby={`formula-${code}-about`}
          checked={picked}
          disabled={!open}
          onChange={onPick}
        />
        <span className="formula-name">{name}</span>
      </label>
      <div className="formula-about" id={`formula-${code}-about`}>
        <p className="formula-price">
          <Money cents={quote.totalCents} size="large" />
          {first !== quote.totalCents && (
            <s className="formula-before">
              <span className="unseen">au lieu de </span>
              <Money cents={first} />
            </s>
          )}
        </p>
        <p className="subscription-soft">
          jusqu’au {formatDate(quote.endsOn)}
          {why.length > 0 && ` · ${why.join(" · ")}`}
        </p>
        <p>{summary}</p>
        {covers.length > 0 && <p>Couvre aussi {covers.join(", ")}.</p>}
      </div>
      <ul className="formula-opens">
        {opens.map((line) => (
          <li key={line}>
            <Icon name="check" size={20} /> {line}
          </li>
        ))}
      </ul>
      {(conditions.length > 0 || papers.length > 0) && (
        <ul className="formula-conditions">
          {conditions.map(({ kind, met, says }) => (
            <li key={kind} data-met={met}>
              <Icon name={marks[met]} size={20} />
              <span>
                {met === "no" ? (
                  <>
                    <strong>Pas pour cette carte&#8239;:</strong> il faut {lower(says)}
                  </>
                ) : (
                  says
                )}
              </span>
            </li>
          ))}
          {open && papers.length > 0 && (
            <li>
              <Icon name="document" size={20} />
              <span>
                À joindre&#8239;: {papers.map((kind) => lower(paperNames[kind])).join(", ")}.
              </span>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

const marks = { yes: "success", no: "forbidden", to_prove: "search" } as const;

const lower = (words: string): string => words.slice(0, 1).toLowerCase() + words.slice(1);
