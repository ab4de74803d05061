// The formulas as they are for this card, with their price and whom they are open to. It comes when it is
// asked for: the page of the subscription and « Ma carte » show the same.
import styles from "./subscriptions.module.css";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import { subscriptionProofNames } from "#contract/subscriptions/states.ts";
import type { OfferedFormula } from "#contract/subscriptions/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { Text } from "#web/ui/text.tsx";
import { type StepName, stepsFor, stepsLabel } from "./navigation.ts";
import { useStep } from "./use-application.ts";

/** `chosen` is the formula of the file that is open; `onChosen` is told where the next step is. */
export function FormulaChoice({
  cardnumber,
  chosen,
  onChosen,
}: {
  cardnumber: number;
  chosen: string | null;
  onChosen: (next: { application: string; step: StepName }) => void;
}) {
  const answer = useAnswer(api.subscriptions.offer, { cardnumber });
  const choose = useStep(api.subscriptions.choose, ({ id, proofs }) =>
    onChosen({ application: id, step: proofs.length > 0 ? "titulaire" : "prix" }),
  );
  const [picked, setPicked] = useState(chosen);
  const [missing, setMissing] = useState(false);
  const formulas = answer.data?.formulas ?? [];
  const hasProofs = formulas.some(({ code, proofs }) => code === picked && proofs.length > 0);
  const next = () => {
    if (!picked) setMissing(true);
    else choose.mutate({ cardnumber, formula: picked });
  };
  return (
    <>
      <Stepper label={stepsLabel} steps={stepsFor(hasProofs)} current={0} />
      {!answer.data && (
        <NotLoaded
          answer={answer}
          label="Chargement des formules…"
          skeleton={
            <div className={styles.formulas}>
              <Skeleton lines={4} height="16rem" />
            </div>
          }
          failed="Les formules n’ont pas pu être chargées."
        />
      )}
      {formulas.length > 0 && (
        <>
          <fieldset className={styles.formulaChoice} aria-describedby="formula-missing">
            <legend>
              <StepHeading>Choisissez une formule</StepHeading>
            </legend>
            <div className={styles.formulas}>
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
          <ProblemBanner problem={choose.error} title="Cette formule n’a pas été retenue." />
          <Actions align="end" wide>
            <Button kind="primary" iconEnd="forward" loading={choose.isPending} onClick={next}>
              Continuer
            </Button>
          </Actions>
        </>
      )}
    </>
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
  const { code, name, summary, opens, open, quote, covers, proofs, conditions } = one;
  const first = quote.lines[0]?.amountCents ?? quote.totalCents;
  const why = quote.lines.slice(1).map((line) => line.label);
  return (
    <div className={styles.formula} data-closed={!open || undefined}>
      <label className={styles.formulaTop}>
        <input
          className={styles.formulaRadio}
          type="radio"
          name="formula"
          aria-describedby={`formula-${code}-about`}
          checked={picked}
          disabled={!open}
          onChange={onPick}
        />
        <span className={styles.formulaName}>{name}</span>
      </label>
      <div className={styles.formulaAbout} id={`formula-${code}-about`}>
        <p className={styles.formulaPrice}>
          <Money cents={quote.totalCents} size="large" />
          {first !== quote.totalCents && (
            <Text as="s" tone="soft">
              <span className="unseen">au lieu de </span>
              <Money cents={first} />
            </Text>
          )}
        </p>
        <Text tone="soft" size="fine">
          jusqu’au {formatDate(quote.endsOn)}
          {why.length > 0 && ` · ${why.join(" · ")}`}
        </Text>
        <p>{summary}</p>
        {covers.length > 0 && <p>Couvre aussi {covers.join(", ")}.</p>}
      </div>
      <ul className={styles.formulaOpens}>
        {opens.map((line) => (
          <li key={line}>
            <Icon name="check" size={20} /> {line}
          </li>
        ))}
      </ul>
      {(conditions.length > 0 || proofs.length > 0) && (
        <ul className={styles.formulaConditions}>
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
          {open && proofs.length > 0 && (
            <li>
              <Icon name="document" size={20} />
              <span>
                À joindre&#8239;:{" "}
                {proofs.map((kind) => lower(subscriptionProofNames[kind])).join(", ")}.
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
