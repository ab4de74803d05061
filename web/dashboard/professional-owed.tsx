// The sum that a professional is owed, as the settlement says it.
import { api } from "#contract/api.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { SettlementSummary } from "#contract/settlement/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./professional.module.css";

/** `meals`: of who runs canteens, whose meals have a statement of their own. */
export function Owed({ meals }: { meals: boolean }) {
  const answer = useAnswer(api.settlement.summary, {}, { atOnce: true, readAhead: true });
  const { data } = answer;
  return (
    <Section title="À vous verser">
      {answer.isError && !data && (
        <ErrorState title="Ce qui vous est dû n’a pas pu être chargé." answer={answer} />
      )}
      {data && (
        <div className={styles.owed}>
          <Figures summary={data} />
          {data.hold === "no_account" && (
            <Text tone="soft" size="fine">
              Aucun compte bancaire : rien ne peut être versé.
            </Text>
          )}
          <ButtonLink href={paths.settlements} icon="document">
            Voir les règlements
          </ButtonLink>
          {meals && (
            <Link href={linkTo(paths.canteenDesk, {}, { tab: "releve" })}>Relevé des repas</Link>
          )}
        </div>
      )}
    </Section>
  );
}

/** The sum of « Règlements »: closed months; what is sold since is no sum to be paid yet. */
function Figures({ summary: { owedCents, sentCents, running } }: { summary: SettlementSummary }) {
  const since = running.since ? `depuis le ${formatDate(running.since)}` : "à ce jour";
  return (
    <>
      <Text tone="soft" size="fine">
        Mois clos, prochain versement
      </Text>
      <p>
        <Money cents={owedCents} size="hero" />
      </p>
      <Text tone="soft" size="fine">
        et {formatMoney(running.grossCents)} de ventes {since}, avant commission
      </Text>
      {sentCents > 0 && (
        <Text tone="soft" size="fine">
          {formatMoney(sentCents)} sont transmis à la banque
        </Text>
      )}
    </>
  );
}
