// The cards of a company, one row each; under 640 px each is a card. What is done with one opens over the
// list, in dialogs that all its rows share.
import { lazy, Suspense, useState } from "react";
import { type Card, cardCan, cardStateNames } from "#contract/cards/rows.ts";
import type { ProCard } from "#contract/companies/pro-cards.ts";
import { roleWords } from "#contract/companies/roles.ts";
import { formatCardnumber, ofName } from "#contract/french.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { ofColleague } from "./colleague.ts";
import { limitsOf, tones } from "./pro-card-words.ts";
import styles from "./pro-cards.module.css";

const AssignForm = lazy(async () => ({ default: (await import("./assign-form.tsx")).AssignForm }));
const ProCardLimits = lazy(async () => ({
  default: (await import("./pro-card-limits.tsx")).ProCardLimits,
}));

const ActionList = lazy(async () => ({ default: (await import("./action-list.tsx")).ActionList }));
const OppositionDialog = lazy(async () => ({
  default: (await import("./opposition-dialog.tsx")).OppositionDialog,
}));
const ActivationDialog = lazy(async () => ({
  default: (await import("./activation-dialog.tsx")).ActivationDialog,
}));
const DamageDialog = lazy(async () => ({
  default: (await import("./damage-dialog.tsx")).DamageDialog,
}));

const CloseDialog = lazy(async () => ({
  default: (await import("./close-dialog.tsx")).CloseDialog,
}));

type CardAction = "assign" | "limits" | "manage" | "damage" | "oppose" | "activate" | "close";
type ActionRequest = { what: CardAction; card: ProCard };
/** These ask by themselves before they act. */
const isQuestion = (what: CardAction) =>
  what === "damage" || what === "oppose" || what === "activate" || what === "close";
/** Of a colleague who carries one; an owner's own is closed by another owner. */
const mayClose = ({ name, own }: ProCard) => name !== null && !own;

export function ProCardTable({
  cards,
  canManage,
}: {
  cards: readonly ProCard[];
  canManage: boolean;
}) {
  // The last requested action stays while its dialog closes.
  const [request, setRequest] = useState<ActionRequest | null>(null);
  const [open, setOpen] = useState(false);
  const ask = (next: ActionRequest) => {
    setRequest(next);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const question = request !== null && isQuestion(request.what);
  return (
    <>
      <Table
        caption="Cartes de l’entreprise"
        columns={columnsOf({ canManage, onAsk: ask })}
        rows={cards}
        keyOf={({ cardnumber }) => cardnumber}
      />
      <Dialog
        open={open && !question}
        // The browser tells late that it closed: by then a question may stand in its place.
        onClose={() => !question && close()}
        title={request ? titleOf(request) : ""}
      >
        {request && (
          <Suspense
            fallback={
              <Loading>
                <Skeleton lines={4} height="3.5rem" />
              </Loading>
            }
          >
            <ActionDialog request={request} onAsk={ask} onClose={close} />
          </Suspense>
        )}
      </Dialog>
      <Suspense>
        {request?.what === "oppose" && (
          <OppositionDialog
            card={asCard(request.card)}
            own={request.card.own}
            open={open}
            onClose={close}
          />
        )}
        {request?.what === "damage" && (
          <DamageDialog card={asCard(request.card)} open={open} onClose={close} />
        )}
        {request?.what === "close" && request.card.name !== null && (
          <CloseDialog
            card={{ ...request.card, name: request.card.name }}
            open={open}
            onClose={close}
          />
        )}
        {request?.what === "activate" && request.card.replacement && (
          <ActivationDialog
            cardnumber={request.card.replacement.cardnumber}
            own={request.card.own}
            colleague={ofColleague(asCard(request.card))}
            open={open}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

function ActionDialog({
  request: { what, card },
  onAsk,
  onClose,
}: {
  request: ActionRequest;
  onAsk: (request: ActionRequest) => void;
  onClose: () => void;
}) {
  if (what === "assign") return <AssignForm card={card} onClose={onClose} />;
  if (what === "limits") return <ProCardLimits card={card} onClose={onClose} />;
  return (
    <ActionList
      card={asCard(card)}
      onClose={onClose}
      onDamage={() => onAsk({ what: "damage", card })}
      onOppose={() => onAsk({ what: "oppose", card })}
      onLeave={mayClose(card) ? () => onAsk({ what: "close", card }) : undefined}
    />
  );
}

function titleOf({ what, card }: ActionRequest): string {
  if (what === "assign") return `Attribuer la carte ${formatCardnumber(card.cardnumber)}`;
  return what === "limits" ? `Plafonds de la carte ${whose(card)}` : `Carte ${whose(card)}`;
}

const whose = ({ name }: ProCard): string => (name === null ? "à attribuer" : ofName(name));

function columnsOf({
  canManage,
  onAsk,
}: {
  canManage: boolean;
  onAsk: (request: ActionRequest) => void;
}): Column<ProCard>[] {
  const columns: (Column<ProCard> | false)[] = [
    { key: "name", label: "Porteur", place: "title", cell: (card) => <Bearer card={card} /> },
    { key: "number", label: "Carte", cell: (card) => <Numbers card={card} /> },
    {
      key: "state",
      label: "État",
      place: "end",
      cell: ({ state }) => <Badge tone={tones[state]}>{cardStateNames[state]}</Badge>,
    },
    {
      key: "limits",
      label: "Plafonds",
      cell: (card) => {
        const limits = limitsOf(card);
        if (limits) return <span className={styles.limits}>{limits}</span>;
        return (
          <Text as="span" tone="soft" size="small" weight="normal">
            Aucun
          </Text>
        );
      },
    },
    canManage && {
      key: "acts",
      label: "Actions",
      align: "end",
      cell: (card) => <Actions card={card} onAsk={onAsk} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

function Bearer({ card: { name, roles, own } }: { card: ProCard }) {
  const about = [roleWords(roles), own && "votre carte"].filter(Boolean).join(", ");
  return (
    <Row as="span" wrap={false}>
      {name && <Avatar name={name} size="small" />}
      <span className={styles.bearerWords}>
        <Text as="span" weight="strong" breakWord>
          {name ?? "À attribuer"}
        </Text>
        {about && (
          <Text as="span" tone="soft" size="small" weight="normal">
            {about}
          </Text>
        )}
      </span>
    </Row>
  );
}

/** The number of now, the one that takes its place, and those that it took the place of. */
function Numbers({ card: { cardnumber, former, replacement } }: { card: ProCard }) {
  return (
    <span className={styles.numbers}>
      <Text as="span" numeric noWrap>
        {formatCardnumber(cardnumber)}
      </Text>
      {replacement && (
        <Text as="span" tone="soft" size="small" weight="normal">
          remplacée par {formatCardnumber(replacement.cardnumber)} (
          {cardStateNames[replacement.state].toLowerCase()})
        </Text>
      )}
      {former.length > 0 && (
        <Text as="span" tone="soft" size="small" weight="normal">
          remplace {former.map(formatCardnumber).join(", ")}
        </Text>
      )}
    </span>
  );
}

/** The card as its dialogs know it. */
const asCard = ({ name, own, ...card }: ProCard): Card => ({
  cardnumber: card.cardnumber,
  name: name ?? "",
  relation: own ? "self" : "employee",
  state: card.state,
  atf: card.atf,
  validUntil: card.validUntil,
  canResume: true,
  replacement: card.replacement,
});

function Actions({ card, onAsk }: { card: ProCard; onAsk: (request: ActionRequest) => void }) {
  const possible =
    cardCan.suspend(card) || cardCan.resume(card) || cardCan.oppose(card) || mayClose(card);
  return (
    <span className={styles.acts}>
      {card.name === null && (
        <Button size="small" aria-haspopup="dialog" onClick={() => onAsk({ what: "assign", card })}>
          Attribuer<span className="unseen"> la carte {formatCardnumber(card.cardnumber)}</span>
        </Button>
      )}
      {card.name !== null && (
        <Button
          size="small"
          kind="ghost"
          aria-haspopup="dialog"
          onClick={() => onAsk({ what: "limits", card })}
        >
          Plafonds<span className="unseen"> {ofName(card.name ?? "")}</span>
        </Button>
      )}
      {card.held && card.replacement && cardCan.activate(card.replacement) && (
        <Button
          size="small"
          aria-haspopup="dialog"
          onClick={() => onAsk({ what: "activate", card })}
        >
          Activer<span className="unseen"> la nouvelle carte {whose(card)}</span>
        </Button>
      )}
      {possible && (
        <Button
          size="small"
          icon="tool"
          aria-haspopup="dialog"
          onClick={() => onAsk({ what: "manage", card })}
        >
          Gérer<span className="unseen"> la carte {whose(card)}</span>
        </Button>
      )}
    </span>
  );
}
