// The takings of the counter of a sheet since it was last closed; for a cashier who sees their own alone,
// also the sales that wait.
import { api } from "#contract/api.ts";
import { formatMoney, plural, spokenDay } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { HomeSheet } from "#contract/portal/professional-home.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./professional.module.css";

/** Of who sees the company's money nothing is drawn until a sale was made, nor when the till cannot be read. */
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
        <Text tone="soft" size="fine">
          {plural(sum("sales"), "vente")}
          {returned > 0 && `, ${formatMoney(returned)} rendus déduits`}
          {data.since ? `, depuis la clôture ${dayOf(data.since)}` : ", pas encore clôturée"}
        </Text>
        <ButtonLink href={paths.till} icon="wallet">
          Ouvrir la caisse
        </ButtonLink>
      </div>
    </Section>
  );
}

/** The till of a cashier: their work, so it is there before the first sale too. */
export function OwnTill({ sheet: { id, name } }: { sheet: HomeSheet }) {
  const { data } = useAnswer(api.till.running, { partner: id }, { atOnce: true, readAhead: true });
  const sales = useAnswer(api.till.sales, { partner: id }, { atOnce: true });
  const [own] = data?.cashiers ?? [];
  const waiting = sales.data?.items.filter(({ state }) => state === "requested").length ?? 0;
  return (
    <Section title={`Caisse, ${name}`}>
      <div className={styles.owed}>
        {own && own.sales > 0 ? (
          <>
            <p>
              <Money cents={own.paidCents - own.returnedCents} size="hero" />
            </p>
            <Text tone="soft" size="fine">
              {plural(own.sales, "vente encaissée", "ventes encaissées")} par vous
              {data?.since ? `, depuis la clôture ${dayOf(data.since)}` : ""}
            </Text>
          </>
        ) : (
          <Text tone="soft" size="fine">
            Vous n’avez rien encaissé depuis la dernière clôture.
          </Text>
        )}
        {waiting > 0 && (
          <p>
            <Link href={linkTo(paths.till, {}, { tab: "ventes" })}>
              {plural(waiting, "vente attend", "ventes attendent")} l’accord du client
            </Link>
          </p>
        )}
        <ButtonLink kind="primary" href={paths.till} icon="wallet">
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
