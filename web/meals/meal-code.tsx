// The QR of an ordered meal, large: the counter serves by it on its day, once.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { todayInParis } from "#contract/days.ts";
import { firstName, formatDayInWords, ofName } from "#contract/french.ts";
import { answerOptions } from "#web/app/transport/answers.ts";
import { CodeWait } from "#web/ui/code-wait.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { PresentedCode } from "#web/ui/presented-code.tsx";
import { Loaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";

export function MealCode({ order, onClose }: { order: MealOrder; onClose: () => void }) {
  const { id, name, canteen, day } = order;
  // Good until the meal is served: what was read once is shown while the network does not answer.
  const code = useQuery({
    ...answerOptions(api.canteen.orderQr, { order: id }),
    staleTime: 0,
    gcTime: 24 * 3_600_000,
  });
  const words = day === todayInParis() ? "aujourd’hui" : `le ${formatDayInWords(day)} seulement`;
  return (
    <Dialog open onClose={onClose} title={`Le repas ${ofName(firstName(name))}`}>
      <p>
        {canteen}, {formatDayInWords(day)}
      </p>
      <Loaded
        answer={code}
        label="Préparation du QR code…"
        skeleton={<CodeWait />}
        failed="Le QR code n’a pas pu être affiché."
      >
        {({ token }) => (
          <PresentedCode
            text={token}
            label={`QR code du repas ${ofName(firstName(name))}`}
            holder={name}
            when={formatDayInWords(day)}
          />
        )}
      </Loaded>
      <Text tone="soft" size="small">
        Présentez-le au comptoir à la place de la carte. Il sert ce repas, une fois, {words}.
      </Text>
    </Dialog>
  );
}
