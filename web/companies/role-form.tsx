// The role of a person in the company: what each opens is said before it is chosen.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { CompanyPerson } from "#contract/companies/people.ts";
import type { CompanyRole } from "#contract/companies/rows.ts";
import { readAgainUnder } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { CodeAbandoned } from "#web/app/code-request.ts";
import { withCode } from "#web/app/step-up.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { notify } from "#web/ui/toast.tsx";

type Choice = CompanyRole | "none";

const choices = [
  {
    value: "owner",
    label: "Responsable",
    hint: "Décide de tout : équipe, cartes, conditions, compte bancaire, règles, tarifs et fermetures de la cantine.",
  },
  {
    value: "accountant",
    label: "Comptable",
    hint: "Voit les ventes, les factures, ce qui est dû et le compte bancaire masqué. À la cantine, répond aux familles : inscriptions, certificats, messages.",
  },
  {
    value: "cashier",
    label: "Caisse",
    hint: "Encaisse et contrôle, tient les menus et le guichet de la cantine. Ne voit ni compte bancaire, ni factures, ni cartes.",
  },
  {
    value: "none",
    label: "Aucun rôle",
    hint: "Garde sa carte, et ne voit rien de l’entreprise.",
  },
] as const;

export function RoleForm({ person, onClose }: { person: CompanyPerson; onClose: () => void }) {
  const change = useMutation<{ message: string } | null, ApiProblem, { role: Choice }>({
    mutationFn: ({ role }) =>
      withCode((proof) =>
        call(api.companies.setRole, {
          cardnumber: person.cardnumber,
          role: role === "none" ? null : role,
          ...proof,
        }),
      ).catch((error: unknown) => {
        if (error instanceof CodeAbandoned) return null;
        throw error;
      }),
    onSuccess: (done) => {
      if (!done) return;
      notify({ text: done.message, kind: "success" });
      onClose();
    },
    onSettled: () => readAgainUnder("/api/company", "/api/pro-cards", "/api/home"),
  });
  const first: { role: Choice } = { role: person.role ?? "none" };
  const { values, field, problem, form } = useForm(first, () => ({}), change);
  return (
    <form {...form}>
      <RadioGroup label="Dans l’entreprise" options={choices} {...field("role")} />
      <ProblemBanner problem={problem} title="Le rôle n’a pas changé." />
      <FormActions
        submit="Enregistrer le rôle"
        isSending={change.isPending}
        disabled={values.role === first.role}
        onCancel={onClose}
      />
    </form>
  );
}
