// Joining the waiting list of a session that is sold out.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import { isReduced } from "#contract/tickets/states.ts";
import type { EventView } from "#contract/tickets/rows.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { readAgain, useAnswer } from "#web/app/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { ticketPath } from "./use-cart.ts";
import styles from "./tickets.module.css";

export function WaitingListForm({
  event,
  session,
  cardnumber,
}: {
  event: EventView;
  session: EventView["sessions"][number];
  cardnumber: number;
}) {
  const open = event.categories.filter(({ eligible }) => eligible);
  const [chosen, setChosen] = useState<string | null>(null);
  const [count, setCount] = useState("1");
  const category = open.find(({ id }) => id === chosen) ?? open[0];
  const mine = useAnswer(api.tickets.list, { cardnumber });
  const join = useMutation<{ message: string }, ApiProblem, string>({
    mutationFn: (id) =>
      call(api.tickets.joinWaitingList, {
        session: session.id,
        category: id,
        cardnumber,
        quantity: Number(count),
      }),
    onSuccess: () => readAgain(api.tickets.list, api.tickets.event),
  });
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
        actions={<ButtonLink href={ticketPath({ onglet: "billets" })}>Mes billets</ButtonLink>}
      >
        Dès que des places se libèrent, elles vous sont gardées 30 minutes et nous vous prévenons.
      </Banner>
    );
  }
  if (!category) return null;
  const most = isReduced(category) ? 1 : Math.max(1, event.maxPerPerson - event.ticketsHeld);
  return (
    <form
      className={styles.waitForm}
      onSubmit={(submitted) => {
        submitted.preventDefault();
        join.mutate(category.id);
      }}
    >
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
          onValue={setChosen}
        />
        <Select
          label="Nombre de places"
          options={Array.from({ length: Math.min(most, 6) }, (_, index) => ({
            value: String(index + 1),
            label: String(index + 1),
          }))}
          value={Number(count) > most ? "1" : count}
          onValue={setCount}
        />
      </div>
      {join.error && (
        <Banner tone="danger" alert>
          {join.error.message}
        </Banner>
      )}
      <Button kind="primary" type="submit" icon="bell" loading={join.isPending}>
        Me prévenir
      </Button>
    </form>
  );
}
