// Joining the waiting list of a session that is sold out.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import { isReduced } from "#contract/tickets/states.ts";
import type { EventView } from "#contract/tickets/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Skeleton } from "#web/ui/state.tsx";
import { ticketPath } from "./use-cart.ts";
import styles from "./tickets.module.css";

interface Typed {
  category: string;
  count: string;
}

export function WaitingListForm({
  event,
  session,
  cardnumber,
  noPrice,
}: {
  event: EventView;
  session: EventView["sessions"][number];
  cardnumber: number;
  /** Shown where no price is for this card. */
  noPrice: ReactNode;
}) {
  const open = event.categories.filter(({ lacks }) => lacks.length === 0);
  const mine = useAnswer(api.tickets.list, { cardnumber });
  const join = useAction(({ category, count }: Typed) =>
    call(api.tickets.joinWaitingList, {
      session: session.id,
      category,
      cardnumber,
      quantity: Number(count),
    }),
  );
  const { values, set, field, problem, form } = useForm<Typed>(
    { category: open[0]?.id ?? "", count: "1" },
    () => ({}),
    join,
    { isLeftFreely: true },
  );
  const listed = mine.data?.waitingList.some(
    (wait) => wait.event === event.id && wait.startsAt === session.startsAt,
  );
  if (mine.isPending) return <Skeleton height="15rem" />;
  if (join.data || listed) {
    return (
      <Banner
        tone="success"
        alert={join.isSuccess}
        title="Vous êtes sur la liste d’attente."
        actions={<ButtonLink href={ticketPath({ tab: "billets" })}>Mes billets</ButtonLink>}
      >
        Les places qui se libèrent vous sont gardées, dans l’ordre de la liste. Dès que le compte y
        est, nous vous prévenons et vous avez 30 minutes pour les prendre.
      </Banner>
    );
  }
  const category = open.find(({ id }) => id === values.category) ?? open[0];
  if (!category) return noPrice;
  const max = isReduced(category) ? 1 : Math.max(1, event.maxPerPerson - event.ticketsHeld);
  return (
    <form {...form} className={styles.waitForm}>
      <h3>Liste d’attente</h3>
      <p>
        Cette séance est complète.{" "}
        {session.waiting > 0
          ? `${plural(session.waiting, "place est attendue", "places sont attendues")} avant vous.`
          : "Vous seriez le premier à être prévenu."}
      </p>
      <div className={styles.waitFields}>
        <Select
          label="Tarif"
          options={open.map(({ id, name }) => ({ value: id, label: name }))}
          value={category.id}
          onValue={(chosen) => set({ category: chosen, count: "1" })}
        />
        <Select
          label="Nombre de places"
          options={Array.from({ length: Math.min(max, 6) }, (_, index) => ({
            value: String(index + 1),
            label: String(index + 1),
          }))}
          {...field("count")}
        />
      </div>
      <ProblemBanner problem={problem} />
      <FormActions submit="Me prévenir" icon="bell" isSending={join.isPending} />
    </form>
  );
}
