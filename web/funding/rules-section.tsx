// The automatic top-ups of a wallet and the kept payment method.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { fundings } from "#contract/funding/rows.ts";
import { type Automations, type Rule, ruleCan } from "#contract/funding/rows.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { MethodForm } from "./method-form.tsx";
import { RuleForm } from "./rule-form.tsx";
import { nextWords, whatWords, whenWords } from "./rule-words.ts";
import { short } from "#web/wallet/top-up-limits.ts";
import styles from "./automations.module.css";

export function RulesSection({ wallet, seen }: { wallet: Wallet; seen: Automations }) {
  const [making, setMaking] = useState(false);
  const { rules, paymentMethods, mayAutomate, open } = seen;
  const more = mayAutomate && open && rules.length < 2;
  return (
    <Section title="Recharge automatique">
      {rules.length === 0 && (
        <p className={styles.automationsLead}>
          {mayAutomate
            ? "La cagnotte se recharge seule, à la date ou au seuil que vous choisissez, sans dépasser votre plafond du mois."
            : "La recharge automatique se règle avec la carte de votre responsable."}
        </p>
      )}
      {rules.length > 0 && (
        <Stack as="ul" gap={12}>
          {rules.map((rule) => (
            <li key={rule.id}>
              <RulePart rule={rule} paymentMethods={paymentMethods} open={open} />
            </li>
          ))}
        </Stack>
      )}
      {more && (
        <div className={styles.automationsActs}>
          <Button
            kind={rules.length === 0 ? "primary" : "secondary"}
            icon="refresh"
            aria-haspopup="dialog"
            onClick={() => setMaking(true)}
          >
            {rules.length === 0 ? "Programmer une recharge" : "En programmer une autre"}
          </Button>
        </div>
      )}
      {!open && (
        <p className={styles.automationsLead}>La recharge en ligne n’est pas ouverte ici.</p>
      )}
      {paymentMethods.length > 0 && <PaymentMethodsPart paymentMethods={paymentMethods} />}
      <Dialog open={making} onClose={() => setMaking(false)} title="Programmer une recharge">
        <RuleForm wallet={wallet} seen={seen} onClose={() => setMaking(false)} />
      </Dialog>
    </Section>
  );
}

const stateWords = { waiting: "À activer", active: "Active", paused: "En pause" } as const;
const stateTones = { waiting: "warning", active: "success", paused: "neutral" } as const;

function RulePart({
  rule,
  paymentMethods,
  open,
}: {
  rule: Rule;
  paymentMethods: Automations["paymentMethods"];
  open: boolean;
}) {
  const [asking, setAsking] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const says = ({ message }: { message: string }) => message;
  const change = useAction(
    (what: "pauseRule" | "resumeRule") => call(fundings[what], { ruleId: rule.id }),
    { says },
  );
  const remove = useAction(() => call(api.funding.deleteRule, { ruleId: rule.id }), { says });
  const pay = useAction(() => call(api.funding.payRule, { ruleId: rule.id }), {
    onDone: ({ paymentUrl }) => paymentUrl !== null && location.assign(paymentUrl),
  });
  const busy = change.isPending || pay.isPending;
  const next = nextWords(rule);
  const problem = change.problem ?? pay.problem;
  const name = whenWords(rule);
  const others = paymentMethods.filter(({ id }) => id !== rule.paymentMethodId);
  const mayChoose = open && rule.paidByMe && ruleCan.changeMethod(rule) && others.length > 0;
  return (
    <article className={styles.automation} aria-label={name}>
      <header className={styles.automationHead}>
        <h3>{name}</h3>
        <Badge tone={rule.nextTryAt ? "warning" : stateTones[rule.state]}>
          {rule.nextTryAt ? "Nouvel essai" : stateWords[rule.state]}
        </Badge>
      </header>
      <p>
        {whatWords(rule)}, {short(rule.monthlyCents)} au plus par mois
      </p>
      <Text tone="soft" size="fine" numeric breakWord>
        {short(rule.spentCents)} ce mois-ci
        {rule.paymentMethod && ` · ${rule.paymentMethod}`}
        {!rule.paidByMe && ` · payée par ${rule.payerName}`}
      </Text>
      {next && <Text weight="strong">{next}</Text>}
      <ProblemBanner problem={problem} />
      <div className={styles.automationsActs}>
        {mayChoose && (
          <Button
            kind={ruleCan.pay(rule) ? "primary" : "secondary"}
            icon="card"
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            {rule.paymentMethod === null ? "Choisir une carte enregistrée" : "Changer de carte"}
          </Button>
        )}
        {rule.paidByMe && ruleCan.pay(rule) && (
          <Button
            kind={mayChoose ? "secondary" : "primary"}
            icon="lock"
            loading={pay.isPending}
            onClick={() => pay.send()}
          >
            Payer et enregistrer {mayChoose ? "une autre" : "ma"} carte
          </Button>
        )}
        {rule.paidByMe && ruleCan.resume(rule) && (
          <Button icon="play" loading={busy} onClick={() => change.send("resumeRule")}>
            Reprendre
          </Button>
        )}
        {ruleCan.pause(rule) && (
          <Button icon="pause" loading={busy} onClick={() => change.send("pauseRule")}>
            Mettre en pause
          </Button>
        )}
        <Button kind="ghost" icon="trash" onClick={() => setAsking(true)}>
          Supprimer
        </Button>
      </div>
      <Dialog
        open={choosing && mayChoose}
        onClose={() => setChoosing(false)}
        title="Choisir le moyen de paiement"
      >
        <MethodForm rule={rule} others={others} onClose={() => setChoosing(false)} />
      </Dialog>
      <ConfirmAction
        act={remove}
        open={asking}
        onClose={() => setAsking(false)}
        title={"Supprimer cette recharge automatique\u202f?"}
        confirm="Supprimer"
        danger
      >
        Plus rien ne sera débité. L’argent déjà dans la cagnotte y reste.
      </ConfirmAction>
    </article>
  );
}

function PaymentMethodsPart({ paymentMethods }: { paymentMethods: Automations["paymentMethods"] }) {
  const [forgetting, setForgetting] = useState<string | null>(null);
  const forget = useAction(
    (paymentMethodId: string) => call(api.funding.forgetPaymentMethod, { paymentMethodId }),
    { says: ({ message }) => message },
  );
  return (
    <div className={styles.automationsMethods}>
      <h3>Moyens de paiement enregistrés</h3>
      <DividedList>
        {paymentMethods.map((one) => (
          <li key={one.id} className={styles.method}>
            <Icon name="card" />
            <span className={styles.methodWords}>
              <span>{one.label}</span>
              <Text as="span" tone="soft" size="fine" numeric breakWord>
                depuis le <DateText at={one.savedAt} />
              </Text>
            </span>
            <Button size="small" kind="ghost" onClick={() => setForgetting(one.id)}>
              Oublier<span className="unseen"> {one.label}</span>
            </Button>
          </li>
        ))}
      </DividedList>
      <ConfirmAction
        act={forget}
        input={forgetting}
        onClose={() => setForgetting(null)}
        title={"Oublier ce moyen de paiement\u202f?"}
        confirm="Oublier"
        danger
      >
        Les recharges automatiques qui l’utilisent seront mises en pause.
      </ConfirmAction>
    </div>
  );
}
