// The review of the chosen meals before they are ordered: meals by day, the money, who pays.
import { freeUntil } from "#contract/meals/cancel-words.ts";
import { useNavigate } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import type { MealLine, MealRequest } from "#contract/meals/orders.ts";
import { firstName, formatDayInWords, formatMoney, plural, theOthers } from "#contract/french.ts";
import { wireSearch } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Actions } from "#web/ui/actions.tsx";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { AllergenWarningLine } from "./allergen-warning.tsx";
import styles from "./family-meals.module.css";

/** Lines shown before « Voir tous les repas ». */
const firstLines = 12;

export function ChoiceReview({
  idgroup,
  request,
  onBack,
}: {
  idgroup: number;
  request: MealRequest;
  onBack: () => void;
}) {
  const navigate = useNavigate();
  const remove = useAction((lines: readonly MealLine[]) =>
    call(api.canteen.choose, {
      idgroup,
      meals: lines.slice(0, 70).map(({ registration, day }) => ({ registration, day })),
      chosen: false,
    }),
  );
  const drop = useAction(() => call(api.canteen.dropRequest, { idgroup }), { onDone: onBack });
  const { lines, totalCents } = request;
  const refused = lines.filter(({ problem }) => problem !== null);
  const rest = lines.slice(firstLines);
  const names = lines.map(({ name }) => name);
  return (
    <Stack gap={20}>
      {refused.length > 0 && (
        <Banner
          tone="warning"
          title={`${plural(refused.length, "repas ne peut", "repas ne peuvent")} plus être ${refused.length > 1 ? "commandés" : "commandé"}.`}
          actions={
            <Button loading={remove.isPending} onClick={() => remove.send(refused)}>
              {refused.length > 1 ? "Les retirer" : "Le retirer"}
            </Button>
          }
        >
          {refused[0]?.problem}
        </Banner>
      )}
      <Lines
        lines={lines.slice(0, firstLines)}
        names={names}
        onRemove={(line) => remove.send([line])}
      />
      {rest.length > 0 && (
        <details className={styles.more}>
          <summary>Voir {theOthers(rest.length, "autre repas", "autres repas")}</summary>
          <Lines lines={rest} names={names} onRemove={(line) => remove.send([line])} />
        </details>
      )}
      <ProblemBanner problem={remove.problem ?? drop.problem} />
      <p>
        <strong>
          {plural(lines.length, "repas", "repas")}, {formatMoney(totalCents)}
        </strong>
        . Le prix est mis de côté dans la cagnotte, et dépensé quand le repas est servi.
      </p>
      <PayWith
        totalCents={totalCents}
        idgroup={idgroup}
        cardnumbers={lines.map(({ cardnumber }) => cardnumber)}
        begun={request.topUp}
        freeLabel="Commander"
        once="les repas ne sont commandés qu’une fois"
        attempt={(paying) =>
          call(api.canteen.pay, {
            request: request.id,
            revision: request.revision,
            totalCents,
            ...paying,
          })
        }
        onPaid={async ({ payment }) => {
          if (!payment?.paymentUrl) {
            await navigate({ to: paths.meals, search: wireSearch<"meals">({ order: request.id }) });
          }
        }}
      />
      <Actions>
        <Button onClick={onBack}>Continuer à choisir</Button>
        <Button kind="ghost" loading={drop.isPending} onClick={() => drop.send()}>
          Vider le choix
        </Button>
      </Actions>
    </Stack>
  );
}

const Lines = ({
  lines,
  names,
  onRemove,
}: {
  lines: readonly MealLine[];
  /** Of all who are chosen for. */
  names: readonly string[];
  onRemove: (line: MealLine) => void;
}) => (
  <ul className={styles.lines}>
    {lines.map((line) => {
      const what = `${formatDayInWords(line.day)}, ${firstName(line.name, names)}`;
      return (
        <li key={`${line.registration} ${line.day}`}>
          <span className={styles.mealWords}>
            <span className={styles.mealName}>{what}</span>
            <Text as="span" tone="soft" size="small">
              {line.canteen}
            </Text>
            <Text as="span" tone="soft" size="small">
              {line.problem ??
                (line.cancelUntil ? freeUntil(line.cancelUntil) : "Annulation payante")}
            </Text>
            <AllergenWarningLine warning={line.warning} />
          </span>
          <Text as="span" numeric noWrap>
            {formatMoney(line.priceCents)}
          </Text>
          <IconButton
            icon="trash"
            label={`Retirer ${what}, ${line.canteen}`}
            onClick={() => onRemove(line)}
          />
        </li>
      );
    })}
  </ul>
);
