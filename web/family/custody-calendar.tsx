// A month of custody: each day bears a guardian's ink and initial, and says who in words.
import { useState } from "react";
import { todayInParis } from "#contract/days.ts";
import { api } from "#contract/api.ts";
import type { CustodyView } from "#contract/family/custody.ts";
import { formatDayInWords } from "#contract/french.ts";
import { weekOf } from "#contract/weeks.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { IconButton } from "#web/ui/button.tsx";
import { Loaded } from "#web/ui/state.tsx";
import { monthAfter, monthName, monthOf, weeksOf } from "./custody-days.ts";
import styles from "./custody.module.css";

const weekdays = ["Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi", "Samedi", "Dimanche"];

interface Props {
  cardnumber: number;
  /** The guardians' names, as they are called here. */
  called: readonly string[];
}

export function CustodyCalendar({ cardnumber, called }: Props) {
  const [chosen, setChosen] = useState<string | null>(null);
  const answer = useAnswer(
    api.family.custody,
    chosen === null ? { cardnumber } : { cardnumber, month: chosen },
  );
  const month = chosen ?? (answer.data ? monthOf(answer.data.days) : todayInParis().slice(0, 7));
  return (
    <div className={styles.custodyCalendar}>
      <div className={styles.custodyMonth}>
        <IconButton
          icon="left"
          label="Mois précédent"
          onClick={() => setChosen(monthAfter(month, -1))}
        />
        <p aria-live="polite">{monthName(month)}</p>
        <IconButton
          icon="right"
          label="Mois suivant"
          onClick={() => setChosen(monthAfter(month, 1))}
        />
      </div>
      <Loaded
        answer={answer}
        label="Chargement du mois…"
        height="19rem"
        failed="Ce mois n’a pas pu être chargé."
      >
        {(seen) => <Month seen={seen} month={month} called={called} />}
      </Loaded>
      <ul className={styles.custodyLegend}>
        {called.map((name, index) => (
          <li key={name}>
            <span className={styles.custodySample} data-guardian={index} aria-hidden="true">
              {name.charAt(0)}
            </span>
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MonthProps {
  seen: CustodyView;
  month: string;
  called: readonly string[];
}

function Month({ seen, month, called }: MonthProps) {
  const today = todayInParis();
  return (
    <table className={styles.custodyDays}>
      <caption className="unseen">Garde en {monthName(month)}</caption>
      <thead>
        <tr>
          <th scope="col">
            <abbr title="Semaine">S</abbr>
          </th>
          {weekdays.map((name) => (
            <th key={name} scope="col">
              <span aria-hidden="true">{name.charAt(0)}</span>
              <span className="unseen">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(seen.days).map((week) => (
          <tr key={week[0]?.on}>
            <th scope="row">
              <span className="unseen">Semaine </span>
              {weekOf(week[0]?.on ?? "")}
            </th>
            {week.map(({ on, guardian }) => (
              <td
                key={on}
                data-guardian={guardian ?? undefined}
                data-out={!on.startsWith(month) || undefined}
                aria-current={on === today ? "date" : undefined}
              >
                <span aria-hidden="true">{Number(on.slice(8))}</span>
                <span className="unseen">
                  {formatDayInWords(on)}
                  {guardian === null ? "" : `, avec ${called[guardian] ?? ""}`}
                </span>
                {guardian !== null && (
                  <span className={styles.custodyLetter} aria-hidden="true">
                    {called[guardian]?.charAt(0)}
                  </span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
