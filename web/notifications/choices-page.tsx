// « Notifications » : what leaves by e-mail or SMS beside the bell, by kind of news.
import { useMutation, useMutationState } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import type {
  Channel,
  ChannelState,
  ChoiceTarget,
  ChoosableKind,
} from "#contract/notifications/kinds.ts";
import type { NotificationChoices } from "#contract/notifications/rows.ts";
import { paths } from "#contract/paths.ts";
import { SettingsPage } from "#web/app/shared/settings-page.tsx";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./choices.module.css";

const words: Readonly<Record<ChoosableKind, { name: string; about: string }>> = {
  card: { name: "Carte", about: "Expédition, suspension, opposition, remplacement" },
  top_up: { name: "Recharges", about: "Reçus, paiements refusés, remboursements" },
  funding: {
    name: "Solde et automatismes",
    about: "Solde bas, recharge automatique, cadeaux reçus",
  },
  expiry: { name: "Aides", about: "Aide ou points reçus, bientôt périmés, ou qui ont expiré" },
  pass: { name: "Titres de transport", about: "Reçus, titre qui se termine, suspension" },
  meal: { name: "Cantine", about: "Repas réservés, annulés, inscriptions, messages de la cantine" },
  meal_reminder: {
    name: "Rappel avant la fin des commandes",
    about: "La veille au soir, si vos repas habituels ne sont pas commandés",
  },
  purchase: { name: "Achats en caisse", about: "Confirmer un achat, reçus, remboursements" },
  partnership: { name: "Partenariats", about: "Invitation, conditions, message d’un partenaire" },
  invoice: { name: "Factures", about: "Facture ou avoir émis, paiement reçu" },
  ticket: { name: "E-billets", about: "Billets reçus, offerts, annulés, liste d’attente" },
  membership: { name: "Adhésion", about: "Précisions demandées, décision" },
  subscription: { name: "Abonnement", about: "Décision, pièces à fournir, renouvellement" },
  money_request: { name: "Demandes d’argent", about: "Un enfant demande, un responsable répond" },
  family: { name: "Famille", about: "Invitations, plafonds, semaines de garde" },
  rights: { name: "Justificatifs", about: "Justificatif accepté, refusé ou bientôt périmé" },
  contact: { name: "Vos messages", about: "Une réponse à une de vos demandes" },
};
const targetNames: Readonly<Record<ChoiceTarget, string>> = {
  email: "E-mail",
  sms: "SMS",
  bell: "Cloche",
};

export function NotificationChoicesPage() {
  const seen = useAnswer(api.notifications.choices, {});
  return (
    <SettingsPage path={paths.notificationChoices}>
      {!seen.data && (
        <NotLoaded
          answer={seen}
          label="Chargement de vos choix…"
          skeleton={
            <Section>
              <Skeleton lines={8} height="3.5rem" />
            </Section>
          }
          failed="Vos choix n’ont pas pu être chargés."
        />
      )}
      {seen.data && <Choices seen={seen.data} />}
    </SettingsPage>
  );
}

type Choice = Input<typeof api.notifications.choose>;
const mutationKey = ["notification-choices"];

function Choices({ seen }: { seen: NotificationChoices }) {
  const key = keyOf(api.notifications.choices, {});
  const choose = useMutation<NotificationChoices, ApiProblem, Choice>({
    mutationFn: (choice) => call(api.notifications.choose, choice),
    // One answer after the other: the last one has every choice.
    scope: { id: "notification-choices" },
    mutationKey,
    onSuccess: (saved) => void queryClient.setQueryData(key, saved),
  });
  // What was pressed shows at once, before the server keeps it.
  const pending = useMutationState({
    filters: { mutationKey, status: "pending" },
    select: ({ state }) => state.variables as Choice,
  });
  const isEnabled = (one: NotificationChoices["kinds"][number], target: ChoiceTarget): boolean =>
    pending.findLast((choice) => choice.kind === one.kind && choice.channel === target)?.enabled ??
    one[target] ??
    true;
  const ready = seen.channels
    .filter(({ state }) => state === "ready")
    .map(({ channel }) => channel);
  return (
    <Section>
      <Text tone="soft" size="fine">
        Tout ce qui vous concerne est dans la cloche du portail. Choisissez ce qui part aussi par
        message. La sécurité du compte et vos données personnelles vous sont toujours annoncées.
      </Text>
      {seen.channels.map(({ channel, state }) => (
        <ChannelNote key={channel} channel={channel} state={state} />
      ))}
      <ProblemBanner problem={choose.error} title="Votre choix n’est pas enregistré." />
      <div>
        {seen.kinds.map((one) => (
          <fieldset key={one.kind} className={styles.kind}>
            <legend className={styles.name}>{words[one.kind].name}</legend>
            <p className={styles.about}>{words[one.kind].about}</p>
            <div className={styles.channels}>
              {[...(one.bell === null ? [] : ["bell" as const]), ...ready].map((target) => (
                <Switch
                  key={target}
                  label={targetNames[target]}
                  checked={isEnabled(one, target)}
                  onChecked={(enabled) =>
                    choose.mutate({ kind: one.kind, channel: target, enabled })
                  }
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </Section>
  );
}

function ChannelNote({ channel, state }: { channel: Channel; state: ChannelState }) {
  if (state === "ready") return null;
  if (state === "off") {
    return (
      <Text tone="soft" size="fine">
        Le service n’envoie pas de {targetNames[channel]}.
      </Text>
    );
  }
  return (
    <Text tone="soft" size="fine">
      {channel === "email" ? "Aucune adresse e-mail" : "Aucun numéro de téléphone"} n’est enregistré
      {channel === "email" && "e"}.{" "}
      <Link href={paths.contactDetails}>Compléter vos coordonnées</Link>
    </Text>
  );
}
