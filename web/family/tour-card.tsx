// One card of the tour: a drawing, a sentence, what is done already, and the act that does it or leads there.
import { lazy, type ReactNode, Suspense, useState } from "react";
import { cardCan } from "#contract/cards/rows.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { QrDialog } from "#web/cards/qr-dialog.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { keepTourStep } from "#web/identity/tour-return.ts";
import { AmountDrawing, FamilyDrawing, WeekDrawing } from "./tour-drawings.tsx";
import { ownProvider, tourDone, type TourFacts, type TourStep } from "./tour-steps.ts";
import styles from "./tour.module.css";

// Loaded when a child is first added.
const AddDialog = lazy(async () => ({
  default: (await import("./add-dialog.tsx")).AddDialog,
}));

interface CardProps {
  facts: TourFacts;
  /** The step after this one; undefined on the last. */
  next: TourStep | undefined;
  /** Ends the tour and goes to an address: what the act of the last card does. */
  onEnd: (href: string) => void;
}

interface Words {
  title: string;
  text: string;
  drawing: ReactNode;
  /** What was begun and waits for somebody else. */
  waiting?: string | null;
  /** Nothing where the act cannot be done now. */
  act: ReactNode;
}

export function TourCard({ step, ...props }: CardProps & { step: TourStep }) {
  const { title, text, drawing, waiting, act } = cards[step](props);
  const done = tourDone[step](props.facts);
  return (
    <article className={styles.card}>
      <div className={styles.drawing} aria-hidden={step === "carte" ? undefined : true}>
        {drawing}
      </div>
      <div className={styles.words}>
        <h1 tabIndex={-1}>{title}</h1>
        <p>{text}</p>
        {done !== null && (
          <div className={styles.done}>
            <Icon name="success" />
            <Text weight="strong">
              <span className="unseen">Fait&#8239;: </span>
              {done}
            </Text>
          </div>
        )}
        {waiting && (
          <Text tone="soft" size="fine">
            {waiting}
          </Text>
        )}
        {act && <Row>{act}</Row>}
      </div>
    </article>
  );
}

/** A link of the last card ends the tour on its way. */
const Act = ({
  href,
  children,
  isDone,
  next,
  onEnd,
  onLeave,
}: Omit<CardProps, "facts"> & {
  href: string;
  children: ReactNode;
  /** What is done is not asked again: the link leads to it. */
  isDone: boolean;
  onLeave?: () => void;
}) => {
  const kind = isDone ? "secondary" : "primary";
  if (next === undefined)
    return (
      <Button kind={kind} onClick={() => onEnd(href)}>
        {children}
      </Button>
    );
  return (
    <ButtonLink kind={kind} href={href} onClick={onLeave}>
      {children}
    </ButtonLink>
  );
};

const cards: Readonly<Record<TourStep, (props: CardProps) => Words>> = {
  carte: ({ facts: { card } }) => ({
    title: "Votre carte",
    text: "Votre argent, vos titres de bus et vos billets tiennent sur cette carte\u202f: montrez son QR code, ou dites son numéro.",
    drawing: card && (
      <Card
        cardnumber={card.cardnumber}
        name={card.name}
        state={card.state}
        {...(card.validUntil && { validUntil: formatDate(card.validUntil) })}
      />
    ),
    act: card && cardCan.spend(card) && <ShowQr card={card} />,
  }),
  enfant: ({ facts, ...rest }) => {
    const { card, family } = facts;
    const children = (family?.members ?? []).filter(({ relation }) => relation === "child");
    const invited = (family?.sent ?? []).filter(({ role }) => role === "child").length;
    return {
      title: "Votre enfant",
      text:
        children.length > 0
          ? "Vous rechargez sa carte, commandez ses repas et fixez ses plafonds."
          : "Rattachez sa carte à la vôtre\u202f: vous la rechargez, commandez ses repas et fixez ses plafonds.",
      drawing: card && <FamilyDrawing own={card} others={children} />,
      waiting:
        invited > 0 && children.length === 0
          ? `${plural(invited, "invitation")} sans réponse pour l’instant.`
          : null,
      act:
        children.length > 0 ? (
          <Act {...rest} href={paths.family} isDone>
            Voir ma famille
          </Act>
        ) : (
          <AddChild facts={facts} />
        ),
    };
  },
  recharge: ({ facts, ...rest }) => {
    const { wallet, card } = facts;
    const isDone = tourDone.recharge(facts) !== null;
    return {
      title: "Recharger",
      text: wallet
        ? `Versez de ${formatMoney(wallet.topUpMinCents)} à ${formatMoney(wallet.topUpMaxCents)} par carte bancaire\u202f: l’argent sert partout où votre carte est acceptée.`
        : "",
      drawing: wallet && card && (
        <AmountDrawing cardnumber={card.cardnumber} cents={wallet.balanceCents} />
      ),
      act: wallet && (
        <Act
          {...rest}
          href={isDone ? paths.wallets : topUpPath(wallet)}
          isDone={isDone}
          onLeave={() => keepTourStep(rest.next)}
        >
          {isDone ? "Voir mes cagnottes" : "Recharger ma cagnotte"}
        </Act>
      ),
    };
  },
  cantine: ({ facts, ...rest }) => {
    const own = ownProvider(facts);
    const href = own
      ? linkTo(paths.canteenProvider, { name: own.slug, idgroup: own.idgroup })
      : paths.canteenProviders;
    return {
      title: "Cantine",
      text:
        own === null
          ? "Inscrivez votre enfant, puis choisissez ses repas semaine par semaine, menus et allergènes sous les yeux."
          : "Choisissez les repas semaine par semaine, menus et allergènes sous les yeux.",
      drawing: <WeekDrawing />,
      act: (
        <Act {...rest} href={href} isDone={false}>
          {own ? "Voir les repas de la semaine" : "Inscrire mon enfant"}
        </Act>
      ),
    };
  },
};

function ShowQr({ card }: { card: NonNullable<TourFacts["card"]> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="primary" icon="qr" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Afficher mon QR code
      </Button>
      <QrDialog card={card} open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

function AddChild({ facts: { family } }: { facts: TourFacts }) {
  const [state, setState] = useState<"never" | "open" | "closed">("never");
  return (
    <>
      <Button kind="primary" icon="plus" aria-haspopup="dialog" onClick={() => setState("open")}>
        Ajouter mon enfant
      </Button>
      {state !== "never" && (
        <Suspense>
          <AddDialog
            open={state === "open"}
            onClose={() => setState("closed")}
            members={family?.members ?? []}
          />
        </Suspense>
      )}
    </>
  );
}
