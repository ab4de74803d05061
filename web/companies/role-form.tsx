// The roles of a person in the company, given, changed or taken by an owner.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { CompanyPerson } from "#contract/companies/people.ts";
import type { CompanyRole } from "#contract/companies/roles.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { CodeAbandoned } from "#web/app/code-request.ts";
import { RoleChoice } from "#web/app/role-choice.tsx";
import { withCode } from "#web/app/step-up.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { notify } from "#web/ui/toast.tsx";

interface Typed {
  roles: CompanyRole[];
}

export function RoleForm({ person, onClose }: { person: CompanyPerson; onClose: () => void }) {
  const change = useMutation<{ message: string } | null, ApiProblem, Typed>({
    mutationFn: ({ roles }) =>
      withCode((proof) =>
        call(api.companies.setRoles, { cardnumber: person.cardnumber, roles, ...proof }),
      ).catch((error: unknown) => {
        if (error instanceof CodeAbandoned) return null;
        throw error;
      }),
    onSuccess: (done) => {
      if (!done) return;
      notify({ text: done.message, kind: "success" });
      onClose();
    },
  });
  const { values, set, problem, form } = useForm<Typed>(
    { roles: person.roles },
    () => ({}),
    change,
  );
  return (
    <form {...form}>
      <RoleChoice roles={values.roles} onRoles={(roles) => set({ roles })} />
      <ProblemBanner problem={problem} title="Le rôle n’a pas changé." />
      <FormActions
        submit="Enregistrer"
        isSending={change.isPending}
        disabled={values.roles.join() === person.roles.join()}
        onCancel={onClose}
      />
    </form>
  );
}
