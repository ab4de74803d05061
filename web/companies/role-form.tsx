// The roles of a person in the company, given, changed or taken by an owner.
import { api } from "#contract/api.ts";
import type { CompanyPerson } from "#contract/companies/people.ts";
import type { CompanyRole } from "#contract/companies/roles.ts";
import { call } from "#web/app/transport/api.ts";
import { RoleChoice } from "#web/app/shared/role-choice.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";

interface Typed {
  roles: CompanyRole[];
}

export function RoleForm({ person, onClose }: { person: CompanyPerson; onClose: () => void }) {
  const change = useAction(
    ({ roles }: Typed, proof) =>
      call(api.companies.setRoles, { cardnumber: person.cardnumber, roles, ...proof }),
    { says: ({ message }) => message, onDone: onClose },
  );
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
