// Invites a company by its SIRET or the number of one of its cards, with the discounts of both sides.
import { api } from "#contract/api.ts";
import { isSiret } from "#contract/companies/siren.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextArea, TextInput } from "#web/ui/input.tsx";
import { PercentInput, percentFault, percentIn } from "./partnership-percents.tsx";

interface Typed {
  number: string;
  gives: string;
  gets: string;
  note: string;
}

const digitsIn = (typed: string): string => typed.replaceAll(/\D/g, "");

export function InviteForm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const invite = useAction(
    ({ number, gives, gets, note }: Typed) => {
      const digits = digitsIn(number);
      return call(api.partnerships.invite, {
        ...(digits.length === 14 ? { siret: digits } : { toCardnumber: Number(digits) }),
        givesPercent: percentIn(gives),
        getsPercent: percentIn(gets),
        note: note.trim() || null,
      });
    },
    { says: ({ message }) => message, onDone },
  );
  const rules = ({ number, gives, gets }: Typed): Faults<Typed> => ({
    number: !isNumber(digitsIn(number)) && "Donnez un SIRET de 14 chiffres, ou une carte de 10.",
    gives: percentFault(gives),
    gets: percentFault(gets),
  });
  const { field, problem, form } = useForm<Typed>(
    { number: "", gives: "5", gets: "5", note: "" },
    rules,
    invite,
    {
      problemFields: {
        partnership_own: "number",
        partnership_known: "number",
        partnership_waiting: "number",
      },
      // The invitation of the other is answered instead.
      isLeftFreely: invite.problem?.code === "partnership_invited",
    },
  );
  return (
    <form {...form}>
      <TextInput
        label="SIRET ou numéro de carte pro"
        hint="14 chiffres pour un SIRET, 10 pour une carte. Ses responsables sont prévenus si l’entreprise est du réseau."
        inputMode="numeric"
        autoComplete="off"
        maxLength={24}
        {...field("number")}
      />
      <PercentInput label="Votre remise à leurs cartes, en %" {...field("gives")} />
      <PercentInput label="Leur remise à vos cartes, en %" {...field("gets")} />
      <TextArea label="Message" optional rows={3} maxLength={500} {...field("note")} />
      {problem?.code === "partnership_invited" ? (
        <Banner
          tone="warning"
          alert
          title="L’invitation n’est pas partie."
          actions={
            <ButtonLink
              href={linkTo(paths.partnership, { id: String(invite.problem?.details["id"]) })}
            >
              Répondre à l’invitation
            </ButtonLink>
          }
        >
          {problem.message}
        </Banner>
      ) : (
        <ProblemBanner problem={problem} title="L’invitation n’est pas partie." />
      )}
      <FormActions submit="Envoyer l’invitation" isSending={invite.isPending} onCancel={onClose} />
    </form>
  );
}

const isNumber = (digits: string): boolean =>
  digits.length === 14 ? isSiret(digits) : isCardnumber(Number(digits));
