// What the counter of a sheet took since it was last closed.
import { api } from "#contract/api.ts";
import { formatMoney, plural, spokenDay } from "#contract/french.ts";
import type { HomeSheet } from "#contract/home/professional.ts";
import { useAnswer } from "#web/app/answers.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import styles from "./professional.module.css";

/** Nothing is drawn until a sale was made, nor when the till cannot be read: its own screen says why. */
export function TillTotals({ sheet: { id, name } }: { sheet: HomeSheet }) {
  const { data } = useAnswer(api.till.running, { partner: id }, { atOnce: true, readAhead: true });
  const sum = (what: "sales" | "paidCents" | "returnedCents") =>
    data?.cashiers.reduce((total, one) => total + one[what], 0) ?? 0;
  if (!data || sum("sales") === 0) return null;
  const returned = sum("returnedCents");
  return (
    <Section title={`Caisse, ${name}`}>
      <div className={styles.owed}>
        <p>
          <Money cents={sum("paidCents") - returned} size="hero" />
        </p>
        <p className={styles.about}>
          {plural(sum("sales"), "vente")}
          {returned > 0 && `, ${formatMoney(returned)} rendus déduits`}
          {data.since ? `, depuis la clôture ${dayOf(data.since)}` : ", pas encore clôturée"}
        </p>
        <ButtonLink href="/partenaire/caisse" icon="wallet">
          Ouvrir la caisse
        </ButtonLink>
      </div>
    </Section>
  );
}

/** « d’hier », « d’aujourd’hui », « du mar. 1er déc. ». */
const dayOf = (at: string): string => {
  const day = spokenDay(at);
  return /^(?:hier|aujourd)/.test(day) ? `d’${day}` : `du ${day}`;
};
