// Ends a partnership: what that does is said before.
import { api } from "#contract/api.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";

export function EndForm({ id, onClose }: { id: string; onClose: () => void }) {
  const end = useAction(
    ({ reason }: { reason: string }) => call(api.partnerships.end, { id, reason }),
    { says: "Le partenariat est terminé.", onDone: onClose },
  );
  const { field, problem, form } = useForm({ reason: "" }, () => ({}), end);
  return (
    <form {...form}>
      <p>
        Les remises des deux côtés s’arrêtent aussitôt. Les ventes déjà faites ne changent pas, et
        l’autre entreprise est prévenue.
      </p>
      <TextInput
        label="Motif"
        hint="L’autre entreprise le lira."
        optional
        maxLength={300}
        {...field("reason")}
      />
      <ProblemBanner problem={problem} />
      <FormActions submit="Mettre fin" isSending={end.isPending} onCancel={onClose} />
    </form>
  );
}
