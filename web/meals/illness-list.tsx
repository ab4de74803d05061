// Illnesses announced for the family: their state and money, the certificate, taking one back.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { IllnessView } from "#contract/meals/illness.ts";
import { illnessCan, illnessStateNames, mealOrderCan } from "#contract/meals/states.ts";
import { firstName, formatDate, formatMoney, ofName, plural, thin } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { useMinor } from "#web/cards/use-minor.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import type { Eater } from "./illness-dialog.tsx";
import { illnessTones } from "./illness-tones.ts";
import { illnessDays, illnessMoney } from "./illness-words.ts";
import styles from "./family-meals.module.css";

const IllnessDialog = lazy(async () => ({
  default: (await import("./illness-dialog.tsx")).IllnessDialog,
}));
const CertificateForm = lazy(async () => ({
  default: (await import("./certificate-form.tsx")).CertificateForm,
}));

export function Illnesses() {
  const answer = useAnswer(api.canteen.illnesses, {});
  const orders = useAnswer(api.canteen.orders, { when: "coming" });
  const minor = useMinor() ?? true;
  const [announcing, setAnnouncing] = useState<readonly Eater[] | null>(null);
  const [proving, setProving] = useState<IllnessView | null>(null);
  const [ending, setEnding] = useState<IllnessView | null>(null);
  const items = answer.data?.items ?? [];
  const held = orders.data?.items.filter(mealOrderCan.hold) ?? [];
  const eaters = [...Map.groupBy(held, ({ cardnumber }) => cardnumber).values()];
  const names = [...items, ...held].map(({ name }) => name);
  const people = minor ? [] : eaters.flatMap(([first]) => first ?? []);
  // Whoever is announced has no meals any more: the dialog goes on with whom it began.
  if (items.length === 0 && people.length === 0 && !announcing) return null;
  return (
    <Section title="Absences pour maladie">
      {items.length > 0 && (
        <ul className={styles.lines}>
          {items.map((one) => (
            <li key={one.id}>
              <span className={styles.mealWords}>
                <span className={styles.mealName}>
                  {firstName(one.name, names)} · {illnessDays(one)}
                </span>
                <Text as="span" tone="soft" size="small">
                  {one.canteen} · {plural(one.meals, "repas annulé", "repas annulés")}
                </Text>
                <Text as="span" tone="soft" size="small">
                  {illnessMoney(one)}
                </Text>
                {one.state === "refused" && one.reason && (
                  <Text as="span" tone="soft" size="small">
                    Motif{thin}: {one.reason}
                  </Text>
                )}
                {illnessCan.prove(one) && one.certificateUntil && (
                  <Text as="span" tone="soft" size="small">
                    Certificat à envoyer avant le {formatDate(one.certificateUntil)}
                  </Text>
                )}
              </span>
              <Badge tone={illnessTones[one.state]}>{illnessStateNames[one.state]}</Badge>
              {illnessCan.prove(one) && (
                <Button size="small" icon="document" onClick={() => setProving(one)}>
                  Joindre le certificat
                  <span className="unseen"> {ofName(firstName(one.name, names))}</span>
                </Button>
              )}
              {one.canWithdraw && (
                <Button size="small" kind="ghost" onClick={() => setEnding(one)}>
                  Annuler l’absence
                  <span className="unseen"> {ofName(firstName(one.name, names))}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {people.length > 0 && (
        <div>
          <Button icon="calendar" aria-haspopup="dialog" onClick={() => setAnnouncing(people)}>
            Signaler un enfant malade
          </Button>
        </div>
      )}
      {announcing && (
        <Suspense>
          <IllnessDialog people={announcing} onClose={() => setAnnouncing(null)} />
        </Suspense>
      )}
      <Dialog
        open={proving !== null}
        onClose={() => setProving(null)}
        title={proving ? `Certificat ${ofName(firstName(proving.name, names))}` : ""}
      >
        {proving && (
          <Suspense>
            <CertificateForm illness={proving} onClose={() => setProving(null)} />
          </Suspense>
        )}
      </Dialog>
      {ending && <Withdrawal illness={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

function Withdrawal({ illness, onClose }: { illness: IllnessView; onClose: () => void }) {
  const withdraw = useAction(() => call(api.canteen.withdrawIllness, { illness: illness.id }), {
    says: ({ message }) => message,
  });
  const { name, meals, freeCents, dueCents, proofCents } = illness;
  return (
    <ConfirmAction
      act={withdraw}
      onClose={onClose}
      title={`${firstName(name)} va manger à la cantine${thin}?`}
      confirm="Annuler l’absence"
      cancel="Garder l’absence"
    >
      <p>
        {plural(meals, "repas est commandé", "repas sont commandés")} de nouveau au même prix{thin}:{" "}
        {formatMoney(freeCents + dueCents + proofCents)} mis de côté.
      </p>
    </ConfirmAction>
  );
}
