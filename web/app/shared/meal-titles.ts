// The family's next meals, for what is stored to be shown without network (stored-titles.ts). Apart from it:
// the canteen's words would be carried by every form.
import { api } from "#contract/api.ts";
import { mealOrderCan } from "#contract/meals/states.ts";
import { addDays, startOfDay } from "#contract/days.ts";
import { firstName, formatDayInWords, ofName } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";

/** Each code is a request: those of the next days with meals are kept, not of all that is ordered. */
const days = 3;

/**
 * The meals of the next days, of everybody: each is good on its day alone. What `refused` makes of a refusal, a card
 * out of use, is left out.
 */
export async function nextMeals(refused: (problem: unknown) => null) {
  const { items } = await call(api.canteen.orders, { when: "coming" }, { quiet: true });
  const open = items.filter(mealOrderCan.hold);
  const next = [...Map.groupBy(open, ({ day }) => day).values()].slice(0, days).flat();
  const titles = next.map(async ({ id, cardnumber, canteen, name: holder, number, day }) => {
    const qr = await call(api.canteen.orderQr, { order: id }, { quiet: true }).catch(refused);
    return (
      qr && {
        id,
        kind: "meal" as const,
        cardnumber,
        name: `Repas ${ofName(firstName(holder))}`,
        holder,
        about: `${canteen}, repas n° ${number}, le ${formatDayInWords(day)} seulement, une fois`,
        code: qr.token,
        startsAt: startOfDay(day).toISOString(),
        endsAt: startOfDay(addDays(day, 1)).toISOString(),
      }
    );
  });
  return (await Promise.all(titles)).filter((meal) => meal !== null);
}
