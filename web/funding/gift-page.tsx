// The page of a relative's link, for who has no account: a first name, an amount, the payment, its end.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { isEmail, trimEmail } from "#contract/email.ts";
import { formatDate, formatDateTime, ofName } from "#contract/french.ts";
import type { Gift } from "#contract/funding/gifts.ts";
import type { Output } from "#contract/endpoint.ts";
import { money } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { topUpCan } from "#contract/payments/rows.ts";
import { referenceOf } from "#contract/reference.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { fictitiousWords } from "#web/app/shared/fictitious.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import type { Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import type { IconName } from "#web/ui/icon.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { dropDraft, keepDraft, readDraft } from "#web/ui/draft.ts";
import { DefinitionList, PageHeader } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { short } from "#web/wallet/top-up-limits.ts";
import styles from "./automations.module.css";
import giftStyles from "./gift.module.css";
import { GiftFace } from "./gift-face.tsx";

export function GiftPage() {
  const [search] = useSearchParameters<"gift">();
  const followed = search.payment;
  return followed ? <GiftStatus id={followed} /> : <Giving />;
}

/** The return address of the payment page does not hold the secret: this tab keeps it to give it again. */
const storageKey = "lien-de-recharge";

/** What was typed stays beside it: a payment that did not succeed begins again with it. */
const typed = { name: "recharge d’un proche", fields: ["amountCents", "name", "email"] as const };

const Header = () => <PageHeader title="Recharge pour un proche" />;

/** In place of the page, where each part of it will stand. */
const Wait = ({ label }: { label: string }) => (
  <div className={giftStyles.gift} data-wide>
    <div className={giftStyles.giftSide}>
      <PageHeader title="Recharge pour un proche" lead={"\u00a0"} />
      <div className={giftStyles.giftFace} data-ink="lagoon" />
    </div>
    <Loading label={label}>
      <Skeleton lines={4} height="3.5rem" />
    </Loading>
  </div>
);

function Giving() {
  // The secret stays in the fragment: no server and no log is sent it with the address.
  const [secret] = useState(
    () => location.hash.slice(1) || sessionStorage.getItem(storageKey) || "",
  );
  const whole = /^[\w-]{43}$/.test(secret);
  const answer = useQuery<Gift, ApiProblem>({
    queryKey: ["gift", secret],
    queryFn: ({ signal }) => call(api.funding.gift, { secret }, { signal }),
    enabled: whole,
    refetchOnWindowFocus: false,
  });
  if (whole && answer.isPending) return <Wait label="Ouverture du lien…" />;
  if (answer.data) return <Form gift={answer.data} secret={secret} />;
  if (whole && answer.error && !answer.error.definite) {
    return (
      <>
        <Header />
        <ErrorState title="Le lien n’a pas pu être ouvert." answer={answer} />
      </>
    );
  }
  return (
    <>
      <PageHeader title="Ce lien ne sert plus" />
      <div className={styles.giftState}>
        <Picture icon="gift" />
        <p>
          {answer.error?.message ??
            "L’adresse n’est pas complète. Ouvrez de nouveau le lien que vous avez reçu."}
        </p>
      </div>
    </>
  );
}

/** The fields as they are typed. */
interface Typed {
  amountCents: number | null;
  name: string;
  email: string;
}

const faultsOf =
  ({ minCents: min, maxCents: max }: Gift) =>
  ({ amountCents: cents, name, email }: Typed): Faults<Typed> => ({
    amountCents:
      (cents === null || cents < min || cents > max) &&
      `Choisissez un montant entre ${short(min)} et ${short(max)}.`,
    name: !/\p{L}/u.test(name) && "Indiquez votre nom.",
    email: trimEmail(email) !== "" && !isEmail(email) && "Cette adresse n’est pas complète.",
  });

function Form({ gift, secret }: { gift: Gift; secret: string }) {
  const { minCents: min, maxCents: max, displayName } = gift;
  const presets = money.topUpPresetsCents.filter((cents) => cents >= min && cents <= max);
  // One key for one intention: a second click, or a lost answer tried again, starts one payment.
  const [key] = useState(() => crypto.randomUUID());
  const give = useAction(
    ({ amountCents, name, email }: Typed) =>
      call(
        api.funding.give,
        {
          secret,
          amountCents: amountCents ?? 0,
          payerName: name,
          payerEmail: trimEmail(email) || null,
        },
        { key: `${key}:${amountCents}` },
      ),
    {
      onDone: ({ id, paymentUrl }, input) => {
        sessionStorage.setItem(storageKey, secret);
        keepDraft<Typed>(typed, input);
        location.assign(paymentUrl ?? linkTo(paths.gift, {}, { payment: id }));
      },
    },
  );
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    readDraft(typed, { amountCents: presets[0] ?? null, name: "", email: "" }),
    faultsOf(gift),
    give,
    { problemFields: { gift_name: "name", gift_amount: "amountCents" }, isLeftFreely: true },
  );
  const { amountCents } = values;
  return (
    <div className={giftStyles.gift} data-wide>
      <div className={giftStyles.giftSide}>
        <PageHeader
          title={`Recharger la carte ${ofName(displayName)}`}
          lead={`Sans compte, par carte bancaire. Ce lien sert jusqu’au ${formatDate(gift.expiresAt)}.`}
        />
        <GiftFace gift={gift} words={gift.word} />
      </div>
      <form {...form} className={`form ${giftStyles.giftForm}`}>
        <AmountInput
          label="Montant"
          hint={`De ${short(min)} à ${short(max)}.`}
          cents={amountCents}
          presetsCents={presets}
          error={errorOf("amountCents")}
          onCents={(cents) => set({ amountCents: cents })}
        />
        <TextInput
          label="Votre nom"
          hint={`${displayName} saura que cela vient de vous.`}
          autoComplete="name"
          maxLength={60}
          {...field("name")}
        />
        <TextInput
          label="Votre e-mail"
          hint="Pour recevoir un reçu. Il ne sert à rien d’autre."
          optional
          type="email"
          autoComplete="email"
          maxLength={254}
          {...field("email")}
        />
        {problem && (
          <RefusedBanner
            problem={problem}
            title="Le paiement n’a pas commencé."
            unknown="La page de paiement n’a pas pu s’ouvrir."
            again="rien n’a été débité"
          />
        )}
        <Text tone="soft" size="fine" numeric breakWord>
          Vous payez par carte bancaire sur la page sécurisée de notre prestataire.
          {gift.sandbox && ` ${fictitiousWords}`}
        </Text>
        <FormActions
          submit={amountCents === null ? "Payer" : `Payer ${short(amountCents)}`}
          wide
          icon="lock"
          isSending={give.isPending}
        />
      </form>
    </div>
  );
}

type State = Output<typeof api.funding.giftState>;

interface GiftWords {
  icon: IconName;
  tone: Tone;
  title: string;
  line: string;
}

function giftWords({ state, amountCents, returnCents, displayName }: State): GiftWords {
  const amount = short(amountCents - returnCents);
  if (state === "credited" && returnCents > 0) {
    return {
      icon: "gift",
      tone: "info",
      title:
        returnCents < amountCents ? `${amount} pour ${displayName}` : "Votre paiement est rendu",
      line: `Merci\u202f! La carte ${ofName(displayName)} ne pouvait pas recevoir plus\u202f: ${short(returnCents)} reviennent sur votre carte bancaire.`,
    };
  }
  if (state === "credited") {
    return {
      icon: "gift",
      tone: "success",
      title: `${amount} pour ${displayName}`,
      line: `Merci\u202f! L’argent est arrivé, et ${displayName} sait qu’il vient de vous.`,
    };
  }
  if (state === "declined") {
    return {
      icon: "close",
      tone: "danger",
      title: "Le paiement n’a pas abouti",
      line: "Rien n’a été débité. Vous pouvez recommencer.",
    };
  }
  if (state === "refunded" || state === "disputed") {
    return {
      icon: "refresh",
      tone: "info",
      title: "Ce paiement a été repris",
      line: "L’argent revient sur votre carte bancaire, ou votre banque l’examine.",
    };
  }
  if (state === "review") {
    return {
      icon: "search",
      tone: "warning",
      title: "Nous vérifions ce paiement",
      line: "Vous n’avez rien à faire. Ne payez pas une seconde fois.",
    };
  }
  return {
    icon: "clock",
    tone: "info",
    title: "Nous attendons la réponse du paiement",
    line: "Ne payez pas une seconde fois\u202f: cette page change d’elle-même.",
  };
}

function GiftStatus({ id }: { id: string }) {
  const answer = useQuery<State, ApiProblem>({
    queryKey: ["gift state", id],
    queryFn: ({ signal }) => call(api.funding.giftState, { id }, { signal, quiet: true }),
    refetchInterval: ({ state }) => {
      if (state.data && topUpCan.rest(state.data)) return false;
      if (state.error?.definite) return false;
      return Math.min(1000 * 1.4 ** (state.dataUpdateCount + state.errorUpdateCount), 15_000);
    },
  });
  const { data } = answer;
  const isOver = data?.state === "credited";
  useEffect(() => {
    if (isOver) dropDraft(typed.name);
  }, [isOver]);
  if (answer.isPending) return <Wait label="Lecture du paiement…" />;
  if (!data) {
    return (
      <>
        <Header />
        <ErrorState
          title="L’état de votre paiement n’a pas pu être lu."
          message={`${answer.error?.message} Si vous venez de payer, ne payez pas une seconde fois.`}
          answer={answer}
        />
      </>
    );
  }
  const words = giftWords(data);
  const again = () => location.assign(paths.gift);
  const hasArrived = data.state === "credited" && data.returnCents < data.amountCents;
  return (
    <div className={giftStyles.gift} data-wide>
      <div className={giftStyles.giftSide}>
        <Header />
        <GiftFace gift={data} words={hasArrived ? (data.thanks ?? "Merci\u202f!") : null} />
      </div>
      <div className={giftStyles.giftSide}>
        <div className={styles.giftState} aria-live="polite">
          {!hasArrived && <Picture icon={words.icon} tone={words.tone} />}
          <h2 className={hasArrived ? giftStyles.giftAmount : undefined}>{words.title}</h2>
          <p>{words.line}</p>
        </div>
        <DefinitionList
          items={[
            {
              label: data.state === "credited" ? "Montant payé" : "Montant",
              value: <Money cents={data.amountCents} />,
            },
            ...(data.returnCents > 0
              ? [{ label: "Rendu", value: <Money cents={data.returnCents} /> }]
              : []),
            { label: "Demandé le", value: formatDateTime(data.createdAt) },
            { label: "Référence", value: referenceOf(id) },
          ]}
        />
        {data.state === "initiated" && data.paymentUrl !== null && (
          <Button wide onClick={() => location.assign(data.paymentUrl ?? "")}>
            Je n’ai pas payé&#8239;: reprendre
          </Button>
        )}
        {data.state === "declined" && sessionStorage.getItem(storageKey) !== null && (
          <Button kind="primary" wide icon="refresh" onClick={again}>
            Recommencer
          </Button>
        )}
      </div>
    </div>
  );
}
