// The spending limits of a card: shown to the child, changed by a guardian.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney, ofName } from "#contract/french.ts";
import type { LimitsView } from "#contract/family/rows.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Loaded, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./family.module.css";

const LimitsForm = lazy(async () => ({
  default: (await import("#web/cards/limits-form.tsx")).LimitsForm,
}));

/** `name` is the child's; nothing when the card is one's own. */
export function LimitsSection({ cardnumber, name }: { cardnumber: number; name?: string }) {
  const limits = useAnswer(api.family.limits, { cardnumber });
  const [changing, setChanging] = useState(false);
  const seen = limits.data;
  return (
    <Section
      title={name ? "Plafonds" : "Vos plafonds"}
      action={
        seen?.canSet && (
          <Button size="small" icon="edit" aria-haspopup="dialog" onClick={() => setChanging(true)}>
            Modifier
            <span className="unseen"> les plafonds</span>
          </Button>
        )
      }
    >
      <Loaded
        answer={limits}
        label="Chargement des plafonds…"
        lines={2}
        height="2.5rem"
        failed="Les plafonds n’ont pas pu être chargés."
      >
        {(known) => <Summary limits={known} />}
      </Loaded>
      {seen && (
        <Dialog
          open={changing}
          onClose={() => setChanging(false)}
          title={name ? `Plafonds ${ofName(name)}` : "Plafonds"}
        >
          <Suspense
            fallback={
              <Loading>
                <Skeleton lines={4} height="3.5rem" />
              </Loading>
            }
          >
            <LimitsForm
              limits={seen}
              send={(newLimits) => call(api.family.setLimits, { cardnumber, limits: newLimits })}
              onSaved={(saved) =>
                queryClient.setQueryData(keyOf(api.family.limits, { cardnumber }), saved)
              }
              onClose={() => setChanging(false)}
            />
          </Suspense>
        </Dialog>
      )}
    </Section>
  );
}

function Summary({ limits }: { limits: LimitsView }) {
  const { dayCents, weekCents, groups, spentDayCents, spentWeekCents, places } = limits;
  if (dayCents === null && weekCents === null && groups === null) {
    return (
      <Text tone="soft" size="fine">
        La carte dépense librement, partout où elle est acceptée.
      </Text>
    );
  }
  const chosen = places.filter(({ idgroup }) => groups?.includes(idgroup));
  return (
    <div className={styles.limits}>
      {dayCents !== null && (
        <Gauge label="Aujourd’hui" spentCents={spentDayCents} maxCents={dayCents} />
      )}
      {weekCents !== null && (
        <Gauge label="Cette semaine" spentCents={spentWeekCents} maxCents={weekCents} />
      )}
      {groups && (
        <div>
          <Text tone="soft" size="fine">
            Paie seulement avec
          </Text>
          <ul className={styles.limitPlaces}>
            {chosen.map(({ idgroup, name }) => (
              <li key={idgroup}>{name}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

interface Spent {
  label: string;
  spentCents: number;
  maxCents: number;
}

function Gauge({ label, spentCents, maxCents }: Spent) {
  const full = spentCents >= maxCents;
  return (
    <div>
      <p className={styles.limitLine}>
        <Text as="span" tone="soft" size="fine">
          {label}
        </Text>
        <span>
          <strong>{formatMoney(spentCents)}</strong> sur {formatMoney(maxCents)}
        </span>
      </p>
      <progress
        className={styles.limitGauge}
        data-full={full || undefined}
        max={Math.max(maxCents, 1)}
        value={full ? Math.max(maxCents, 1) : spentCents}
        aria-label={`Dépensé, ${label.toLowerCase()}`}
      />
    </div>
  );
}
