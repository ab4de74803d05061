// Where one is in a task of several steps, what remains, and the way back.
import "./stepper.css";
import { Icon } from "./icon.tsx";
import { useTitlePart } from "./page-title.ts";

/** `current` counts from 0. `onBack` is left out where going back would change nothing or harm. */
export function Stepper({
  label,
  steps,
  current,
  onBack,
}: {
  label: string;
  steps: readonly string[];
  current: number;
  onBack?: (() => void) | undefined;
}) {
  useTitlePart(steps[current]);
  const next = steps[current + 1];
  return (
    <nav className="stepper" aria-label={label} data-last={next === undefined || undefined}>
      <div className="stepper-words">
        {onBack && current > 0 && (
          <button type="button" className="stepper-back" onClick={onBack}>
            <Icon name="back" size={20} /> Retour
          </button>
        )}
        <p className="stepper-now">
          Étape {current + 1} sur {steps.length}
          {next && <span className="stepper-next"> · ensuite&#8239;: {next}</span>}
        </p>
      </div>
      <ol className="stepper-track">
        {steps.map((step, index) => (
          <li
            key={step}
            className="step"
            data-state={index < current ? "done" : index === current ? "now" : "todo"}
            aria-current={index === current ? "step" : undefined}
          >
            <span className="step-label">
              {index < current && <span className="unseen">Fait : </span>}
              {step}
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
