// What the meals of the month bring, as the statement of the desk says it.
import { api } from "#contract/api.ts";
import { firstOfMonth, todayInParis } from "#contract/days.ts";
import { formatMoney, formatMonth, plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/answers.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./professional.module.css";

const month = (ahead: number) => firstOfMonth(todayInParis(), ahead);

export function Owed() {
  const first = month(0);
  const answer = useAnswer(api.canteen.statement, { month: first.slice(0, 7) });
  return (
    <Section title="À vous revenir">
      {answer.isPending && (
        <Loading label="Chargement de ce qui vous revient…">
          <Skeleton lines={3} height="2.5rem" />
        </Loading>
      )}
      {answer.isError && !answer.data && (
        <ErrorState title="Le relevé n’a pas pu être chargé." answer={answer} />
      )}
      {answer.data && (
        <div className={styles.owed}>
          <p className={styles.about}>Repas de {formatMonth(first)}, à ce jour</p>
          <p>
            <Money cents={answer.data.cents} size="hero" />
          </p>
          {answer.data.aidCents > 0 && (
            <p className={styles.about}>
              dont {formatMoney(answer.data.aidCents)} payés par des aides
            </p>
          )}
          {answer.data.open.meals > 0 && (
            <p className={styles.about}>
              et {formatMoney(answer.data.open.cents)} mis de côté pour{" "}
              {plural(answer.data.open.meals, "repas encore commandé", "repas encore commandés")}
            </p>
          )}
          <ButtonLink href="/pro/cantine?onglet=releve" icon="document">
            Voir le relevé
          </ButtonLink>
          <Link href={`/pro/cantine?onglet=releve&mois=${month(-1).slice(0, 7)}`}>
            Relevé de {formatMonth(month(-1))}
          </Link>
        </div>
      )}
    </Section>
  );
}
