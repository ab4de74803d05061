// The limits of a card of the company: read when the dialog opens, then the form that children's cards have.
import { api } from "#contract/api.ts";
import type { ProCard } from "#contract/companies/pro-cards.ts";
import { formatMoney } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { LimitsForm } from "./limits-form.tsx";

export function ProCardLimits({ card, onClose }: { card: ProCard; onClose: () => void }) {
  const { cardnumber } = card;
  const limits = useAnswer(api.companies.proCardLimits, { cardnumber }, { atOnce: true });
  if (limits.isFetching) {
    return (
      <Loading label="Chargement des plafonds…">
        <Skeleton lines={4} height="3.5rem" />
      </Loading>
    );
  }
  if (!limits.data) {
    return <ErrorState title="Les plafonds n’ont pas pu être chargés." answer={limits} />;
  }
  const { spentDayCents, spentWeekCents } = limits.data;
  return (
    <Stack gap={20}>
      <p>
        Dépensé aujourd’hui&#8239;: <strong>{formatMoney(spentDayCents)}</strong>, cette
        semaine&#8239;: <strong>{formatMoney(spentWeekCents)}</strong>.
      </p>
      <LimitsForm
        limits={limits.data}
        send={(newLimits) =>
          call(api.companies.setProCardLimits, { cardnumber, limits: newLimits })
        }
        onClose={onClose}
      />
    </Stack>
  );
}
