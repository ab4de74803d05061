// The form of a closing: its days, its reason, and the orders that it cancels before it is confirmed.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault, isDay } from "#web/ui/days.ts";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";

/** The fields as they are typed; an empty end is the day of the beginning. */
interface Typed {
  from: string;
  to: string;
  reason: string;
}

const lastOf = ({ from, to }: Typed): string => (to === "" ? from : to);
const empty: Typed = { from: "", to: "", reason: "" };

export function ClosingForm({ canteen }: { canteen: string }) {
  // Another form once one was sent.
  const [count, setCount] = useState(0);
  return <Fields key={count} canteen={canteen} onAdded={() => setCount(count + 1)} />;
}

function Fields({ canteen, onAdded }: { canteen: string; onAdded: () => void }) {
  const today = todayInParis();
  const [typed, setTyped] = useState(empty);
  const [asking, setAsking] = useState<Typed | null>(null);
  const to = lastOf(typed);
  const isWhole = isDay(typed.from) && isDay(to) && today <= typed.from && typed.from <= to;
  const preview = useAnswer(
    api.canteen.previewClosing,
    { canteen, from: typed.from, to },
    { enabled: isWhole },
  );
  const orders = (isWhole && preview.data?.orders) || 0;
  const add = useAction(
    (sent: Typed) =>
      call(api.canteen.addClosing, {
        canteen,
        from: sent.from,
        to: lastOf(sent),
        reason: sent.reason.trim(),
        orders,
      }),
    { says: ({ message }) => message, onDone: onAdded, onRefused: () => setAsking(null) },
  );
  // What cancels orders is asked for once more; the rest goes at once.
  const sending = {
    ...add,
    mutateAsync: async (sent: Typed) =>
      orders > 0 ? setAsking(sent) : await add.mutateAsync(sent),
  };
  const { values, field, problem, form } = useForm<Typed>(
    empty,
    ({ from, to: last, reason }) => ({
      from: dayFault(from, { min: today, missing: "Indiquez le premier jour." }),
      to: dayFault(last, isDay(from) ? { min: from } : {}),
      reason: reason.trim() === "" && "Indiquez le motif, les familles le liront.",
    }),
    sending,
    {
      onValues: setTyped,
      problemFields: { closing_past: "from", closing_dates: "to", closing_overlaps: "from" },
    },
  );
  const meals = plural(orders, "commande", "commandes");
  return (
    <form {...form}>
      <DateField label="Premier jour" min={today} {...field("from")} />
      <DateField
        label="Dernier jour"
        hint="Vide pour un seul jour."
        optional
        min={isDay(values.from) ? values.from : today}
        {...field("to")}
      />
      <TextInput
        label="Motif"
        hint="Les familles le lisent, par exemple «&nbsp;Grève&nbsp;»."
        autoComplete="off"
        maxLength={120}
        {...field("reason")}
      />
      {isWhole && preview.data && orders > 0 && (
        <Banner tone="warning" title={`${meals} à annuler`}>
          Elles ne coûtent rien, l’argent mis de côté est libéré et les familles sont prévenues.
        </Banner>
      )}
      {isWhole && preview.data?.orders === 0 && (
        <Banner>Aucune commande n’est passée pour ces jours.</Banner>
      )}
      <ProblemBanner problem={problem} title="La fermeture n’a pas été enregistrée." />
      <FormActions
        submit={orders > 0 ? `Fermer et annuler ${meals}` : "Annoncer la fermeture"}
        isSending={add.isPending}
        disabled={isWhole && preview.isPending}
      />
      <AlertDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={`Annuler ${meals}\u202f?`}
        confirm="Fermer et annuler"
        cancel="Ne pas fermer"
        danger
        loading={add.isPending}
        onConfirm={() => asking && add.send(asking)}
      >
        <p>
          Les repas de ces jours sont annulés sans frais et les familles prévenues. Rouvrir plus
          tard ne les rend pas.
        </p>
      </AlertDialog>
    </form>
  );
}
