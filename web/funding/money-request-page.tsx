// « Demander de l’argent »: a child asks its guardians, sees its request wait, takes it back, reads the answers.
import { api } from "#contract/api.ts";
import { cardCan, cardStateNames } from "#contract/cards/rows.ts";
import { formatMoney, listInWords, spokenDay, untilDay } from "#contract/french.ts";
import type { MoneyRequest } from "#contract/funding/money-requests.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, Banner, ProblemBanner, type Tone } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { MoneyRequestForm } from "./money-request-form.tsx";

export function MoneyRequestPage() {
  const { cardnumber, previousCardnumber } = useUser();
  return (
    <Page narrow>
      <PageHeader
        title="Demander de l’argent"
        back={{ href: paths.dashboard, label: "Ma carte" }}
      />
      {previousCardnumber > 0 ? (
        <EmptyState
          icon="people"
          title="C’est à l’enfant de demander"
          action={
            <ButtonLink href={linkTo(paths.familyMember, { cardnumber })}>Voir sa carte</ButtonLink>
          }
        >
          Il se connecte avec sa propre carte. Vous pouvez lui envoyer de l’argent sans attendre.
        </EmptyState>
      ) : (
        <OwnRequests cardnumber={cardnumber} />
      )}
    </Page>
  );
}

function OwnRequests({ cardnumber }: { cardnumber: number }) {
  const requests = useAnswer(api.moneyRequests.list, { cardnumber });
  if (!requests.data) {
    return (
      <Section>
        <NotLoaded
          answer={requests}
          label="Chargement de vos demandes…"
          lines={4}
          height="4rem"
          failed="Vos demandes n’ont pas pu être chargées."
        />
      </Section>
    );
  }
  const { items, guardians } = requests.data;
  const open = items.find(({ state }) => state === "open");
  const past = items.filter(({ state }) => state !== "open");
  return (
    <>
      {open ? (
        <Waiting request={open} guardians={guardians} />
      ) : guardians.length > 0 ? (
        <Section>
          <Asking cardnumber={cardnumber} guardians={guardians} />
        </Section>
      ) : (
        <EmptyState
          icon="people"
          title="Réservé aux enfants rattachés à un responsable"
          action={<ButtonLink href={paths.wallets}>Voir mes cagnottes</ButtonLink>}
        >
          Votre carte n’a pas de responsable&#8239;: vous rechargez vous-même votre cagnotte.
        </EmptyState>
      )}
      {past.length > 0 && (
        <Section title="Mes dernières demandes">
          <DividedList>
            {past.map((one) => (
              <li key={one.id}>
                <PastRequest request={one} />
              </li>
            ))}
          </DividedList>
        </Section>
      )}
    </>
  );
}

/** The form, or why this card cannot receive anything now. */
function Asking({ cardnumber, guardians }: { cardnumber: number; guardians: readonly string[] }) {
  const wallets = useAnswer(api.wallet.list, { cardnumber });
  const cards = useAnswer(api.cards.list, {});
  const card = cards.data?.items.find((one) => one.cardnumber === cardnumber);
  const wallet = wallets.data?.items.find(({ main }) => main);
  if (card && !cardCan.spend(card)) {
    return (
      <Banner tone="warning" title={`Votre carte est ${cardStateNames[card.state].toLowerCase()}`}>
        Vous pourrez demander de l’argent quand elle servira de nouveau.
      </Banner>
    );
  }
  if (wallet?.frozen) {
    return (
      <Banner tone="warning" title="Votre cagnotte est bloquée">
        Elle ne reçoit rien le temps d’un litige. Parlez-en à un de vos responsables.
      </Banner>
    );
  }
  return (
    <MoneyRequestForm
      cardnumber={cardnumber}
      guardians={guardians}
      roomCents={wallet?.roomCents ?? null}
      capCents={wallet?.capCents ?? 0}
    />
  );
}

function Waiting({
  request: { id, amountCents, words, createdAt, expiresAt },
  guardians,
}: {
  request: MoneyRequest;
  guardians: readonly string[];
}) {
  const withdraw = useAction(() => call(api.moneyRequests.withdraw, { id }), {
    says: "Demande retirée.",
  });
  return (
    <Section title="Demande en attente">
      <Stack gap={8}>
        <Money cents={amountCents} size="hero" />
        {words !== null && <Text breakWord>{`«\u00a0${words}\u00a0»`}</Text>}
        <Text>
          Envoyée à {listInWords(guardians)} {spokenDay(createdAt)}. La première réponse compte.
        </Text>
        <Text tone="soft" size="fine">
          Une réponse peut venir {untilDay(expiresAt)}&#8239;; ensuite, la demande se termine seule.
        </Text>
      </Stack>
      <ProblemBanner problem={withdraw.problem} title="La demande n’a pas été retirée." />
      <Actions gap={8}>
        <Button icon="close" loading={withdraw.isPending} onClick={() => withdraw.send()}>
          Retirer la demande
        </Button>
      </Actions>
    </Section>
  );
}

const ends: Readonly<
  Record<Exclude<MoneyRequest["state"], "open">, { word: string; tone: Tone | "neutral" }>
> = {
  sent: { word: "Reçu", tone: "success" },
  refused: { word: "Refusée", tone: "warning" },
  withdrawn: { word: "Retirée", tone: "neutral" },
  expired: { word: "Sans réponse", tone: "neutral" },
  ended: { word: "Terminée", tone: "neutral" },
};

function PastRequest({ request }: { request: MoneyRequest }) {
  const { state, amountCents, words, createdAt, endedAt, expiresAt } = request;
  if (state === "open") return null;
  const { word, tone } = ends[state];
  return (
    <Stack gap={4}>
      <Row gap={8} spread>
        <Text weight="strong" numeric>
          {formatMoney(amountCents)}
        </Text>
        <Badge tone={tone}>{word}</Badge>
      </Row>
      {words !== null && <Text breakWord>{`«\u00a0${words}\u00a0»`}</Text>}
      <Text tone="soft" size="fine" breakWord>
        Demandé {spokenDay(createdAt)}. {answerOf(request, endedAt ?? expiresAt)}
      </Text>
    </Stack>
  );
}

function answerOf(
  { state, answeredBy, answerWords, sentCents, amountCents }: MoneyRequest,
  at: string,
): string {
  if (state === "sent" && sentCents !== null) {
    const what = sentCents === amountCents ? "l’argent" : formatMoney(sentCents);
    return `${answeredBy} vous a envoyé ${what} ${spokenDay(at)}.`;
  }
  if (state === "refused") {
    const said = answerWords === null ? "." : `\u00a0: «\u00a0${answerWords}\u00a0».`;
    return `${answeredBy} a refusé ${spokenDay(at)}${said}`;
  }
  if (state === "withdrawn") return `Retirée ${spokenDay(at)}.`;
  return state === "expired" ? "Personne n’a répondu à temps." : "La carte ou le compte a changé.";
}
