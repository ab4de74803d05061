// Opening hours of the week with today marked, and the closing days to come.
import { formatDate } from "#contract/french.ts";
import type { PartnerSheet } from "#contract/partners/rows.ts";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import { weekdayName } from "./place-words.ts";
import styles from "./directory.module.css";

export const Hours = ({ partner: { hours, today, closures } }: { partner: PartnerSheet }) => (
  <Section title="Horaires">
    <dl className={styles.hours}>
      {hours.map(({ weekday, spans }) => (
        <div key={weekday} data-today={weekday === today || undefined}>
          <dt>
            {weekdayName(weekday)}
            {weekday === today && <span className={styles.hoursToday}> aujourd’hui</span>}
          </dt>
          <dd>
            {spans.length === 0
              ? "fermé"
              : spans.map(({ opens, closes }) => (
                  <span key={opens}>
                    {opens === "00:00" && closes === "24:00"
                      ? "24 h sur 24"
                      : `${opens} – ${closes === "24:00" ? "minuit" : closes}`}
                  </span>
                ))}
          </dd>
        </div>
      ))}
    </dl>
    {closures.map(({ fromOn, toOn, reason }) => (
      <Text key={fromOn} tone="soft" size="fine">
        {fromOn === toOn
          ? `Fermé le ${formatDate(fromOn)}`
          : `Fermé du ${formatDate(fromOn)} au ${formatDate(toOn)}`}{" "}
        : {reason}.
      </Text>
    ))}
  </Section>
);
