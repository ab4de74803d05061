// Other terms for a partnership, which the other side accepts or refuses.
import { api } from "#contract/api.ts";
import type { Partnership } from "#contract/partners/partnerships.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextArea } from "#web/ui/input.tsx";
import { PercentInput, percentFault, percentIn } from "./partnership-percents.tsx";

interface Typed {
  gives: string;
  gets: string;
  note: string;
}

export function TermsForm({ one, onClose }: { one: Partnership; onClose: () => void }) {
  const propose = useAction(
    ({ gives, gets, note }: Typed) =>
      call(api.partnerships.propose, {
        id: one.id,
        givesPercent: percentIn(gives),
        getsPercent: percentIn(gets),
        note: note.trim() || null,
      }),
    { says: "Vos conditions sont proposées.", onDone: onClose },
  );
  const { field, problem, form } = useForm<Typed>(
    {
      gives: String(one.terms?.givesPercent ?? 0),
      gets: String(one.terms?.getsPercent ?? 0),
      note: "",
    },
    ({ gives, gets }) => ({ gives: percentFault(gives), gets: percentFault(gets) }),
    propose,
    { problemFields: { partnership_terms_same: "gives" } },
  );
  return (
    <form {...form}>
      <p>Rien ne change avant l’accord de l’autre entreprise.</p>
      <PercentInput label="Votre remise à leurs cartes, en %" {...field("gives")} />
      <PercentInput label="Leur remise à vos cartes, en %" {...field("gets")} />
      <TextArea label="Message" optional rows={3} maxLength={500} {...field("note")} />
      <ProblemBanner problem={problem} title="Rien n’est proposé." />
      <FormActions
        submit="Proposer ces conditions"
        isSending={propose.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
