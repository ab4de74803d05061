// Ends a partnership: what that does is said before.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Partnership } from "#contract/partnerships/rows.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";

export function EndForm({ id, onClose }: { id: string; onClose: () => void }) {
  const end = useMutation<Partnership, ApiProblem, { reason: string }>({
    mutationFn: ({ reason }) => call(api.partnerships.end, { id, reason }),
    onSuccess: () => {
      notify({ text: "Le partenariat est terminé.", kind: "success" });
      onClose();
    },
  });
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
