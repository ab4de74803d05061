// Enrols an employee: the number of their own card, and how payroll knows them.
import { api } from "#contract/api.ts";
import type { CommutingEnrolment, CommutingPlan } from "#contract/commuting/rows.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { CardNumberInput, TextInput } from "#web/ui/input.tsx";

interface Typed {
  name: string;
  cardnumber: string;
  staffNumber: string;
}

const rules = ({ name, cardnumber }: Typed): Faults<Typed> => ({
  name: name.trim().length < 2 && "Indiquez le prénom et le nom du salarié.",
  cardnumber:
    cardnumber.length !== 10
      ? "Indiquez les dix chiffres de la carte."
      : !isCardnumber(Number(cardnumber)) && "Un chiffre est faux. Vérifiez-le avec le salarié.",
});

export function EnrolForm({
  plan,
  onDone,
  onCancel,
}: {
  plan: CommutingPlan;
  onDone: (enrolment: CommutingEnrolment) => void;
  onCancel: () => void;
}) {
  const sending = useAction(
    ({ name, cardnumber, staffNumber }: Typed) =>
      call(api.commuting.enrol, {
        service: plan.service,
        name: name.trim(),
        cardnumber: Number(cardnumber),
        staffNumber: staffNumber.trim() || null,
      }),
    { onDone },
  );
  const { field, problem, form } = useForm<Typed>(
    { name: "", cardnumber: "", staffNumber: "" },
    rules,
    sending,
    {
      problemFields: {
        commuting_number: "cardnumber",
        commuting_personal_card: "cardnumber",
        commuting_enrolled: "cardnumber",
      },
    },
  );
  return (
    <form {...form}>
      <TextInput
        label="Prénom et nom"
        hint="Tels que la paie les connaît."
        autoComplete="off"
        maxLength={80}
        {...field("name")}
      />
      <CardNumberInput
        label="Numéro de sa carte personnelle"
        hint="Dix chiffres, le premier est 1. Le salarié le lit sur sa carte."
        {...field("cardnumber")}
      />
      <TextInput
        label="Matricule"
        optional
        autoComplete="off"
        maxLength={30}
        {...field("staffNumber")}
      />
      <p>
        Il accepte sur son propre espace. Vous voyez ensuite le titre acheté et son prix, jamais ses
        trajets.
      </p>
      <ProblemBanner problem={problem} />
      <FormActions submit="Envoyer la demande" isSending={sending.isPending} onCancel={onCancel} />
    </form>
  );
}
