// « Ajouter un membre »: an invitation to a card number, or the code printed for a card without phone.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import type { Member } from "#contract/family/rows.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { type Option, RadioGroup, Select } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault } from "#web/ui/days.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { CardNumberInput, TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";
import { readFamilyAgain } from "./invitations.tsx";

type Way = "code" | "child" | "first" | "guardian" | "relative";

const ways = (hasChild: boolean): Option<Way>[] => [
  {
    value: "code",
    label: "Mon enfant, qui n’a pas de téléphone",
    hint: "Avec le code à 8 chiffres imprimé dans le courrier de sa carte.",
  },
  {
    value: "child",
    label: "Mon enfant, qui a un téléphone ou un e-mail",
    hint: "Il accepte lui-même, ou son responsable actuel.",
  },
  {
    value: "first",
    label: "Mon enfant, qui n’a pas encore de carte",
    hint: "Nous étudions la demande, puis la carte est fabriquée et envoyée.",
  },
  ...(hasChild
    ? [
        {
          value: "guardian" as const,
          label: "L’autre responsable de mon enfant",
          hint: "Il verra la carte de l’enfant. Vos cartes à vous restent séparées.",
        },
      ]
    : []),
  {
    value: "relative",
    label: "Un proche",
    hint: "Pour vous envoyer de l’argent. Il ne voit pas votre solde, ni vous le sien.",
  },
];

interface Props {
  open: boolean;
  onClose: () => void;
  /** The children of whom another guardian can be named. */
  childCards: readonly Member[];
}

export function AddDialog({ open, onClose, childCards }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Ajouter un membre">
      <AddForm onClose={onClose} childCards={childCards} />
    </Dialog>
  );
}

/** The fields as they are typed. */
interface Added {
  way: Way | null;
  number: string;
  code: string;
  child: string;
  firstName: string;
  lastName: string;
  bornOn: string;
}

function faultsOf({ way, number, code, child, ...first }: Added): Faults<Added> {
  if (way === null) return { way: "Choisissez qui vous ajoutez." };
  if (way === "first") {
    return {
      firstName: first.firstName.trim() === "" && "Indiquez le prénom.",
      lastName: first.lastName.trim() === "" && "Indiquez le nom.",
      bornOn: dayFault(first.bornOn, {
        missing: "Indiquez la date de naissance.",
        max: todayInParis(),
      }),
    };
  }
  return {
    child: way === "guardian" && child === "" && "Choisissez l’enfant.",
    number: !isCardnumber(Number(number)) && "Vérifiez le numéro : il compte 10 chiffres.",
    code: way === "code" && !/^\d{8}$/.test(code) && "Le code compte 8 chiffres.",
  };
}

/** Sends what was typed; answers what to say once it is done. */
async function addMember({ way, number, code, child, ...first }: Added): Promise<string> {
  const cardnumber = Number(number);
  if (way === "code") {
    const member = await call(api.family.join, { cardnumber, code });
    return `${member.name} est maintenant dans votre famille.`;
  }
  if (way === "first") {
    const asked = await call(api.enrolment.ask, first);
    await readAgain(api.enrolment.list);
    return `La première carte de ${asked.name} est demandée.`;
  }
  const named = way === "guardian" ? { child: Number(child) } : {};
  await call(api.family.invite, { cardnumber, role: way ?? "relative", ...named });
  return "Invitation envoyée. Elle attend la réponse de cette carte.";
}

function AddForm({ onClose, childCards }: Omit<Props, "open">) {
  const only = childCards.length === 1 ? String(childCards[0]?.cardnumber) : "";
  const add = useMutation<string, ApiProblem, Added>({
    mutationFn: addMember,
    onSuccess: async (text) => {
      await readFamilyAgain();
      notify({ text, kind: "success" });
      onClose();
    },
  });
  const { values, set, field, errorOf, problem, form, discard } = useForm<Added>(
    { way: null, number: "", code: "", child: only, firstName: "", lastName: "", bornOn: "" },
    faultsOf,
    add,
    {
      problemFields: { join_refused: "code", first_card_age: "bornOn" },
      draft: {
        name: "family member",
        fields: ["way", "number", "child", "firstName", "lastName", "bornOn"],
      },
    },
  );
  const { way } = values;
  return (
    <form {...form}>
      <RadioGroup
        label="Qui ajoutez-vous&#8239;?"
        boxed
        options={ways(childCards.length > 0)}
        {...field("way")}
        onValue={(next) => {
          set({ way: next });
          add.reset();
        }}
      />
      {way === "guardian" && childCards.length > 1 && (
        <Select
          label="Enfant"
          placeholder="Choisissez"
          options={childCards.map((one) => ({ value: String(one.cardnumber), label: one.name }))}
          {...field("child")}
        />
      )}
      {way === "first" ? (
        <>
          <TextInput
            label="Prénom de l’enfant"
            autoComplete="off"
            maxLength={60}
            {...field("firstName")}
          />
          <TextInput
            label="Nom de l’enfant"
            autoComplete="off"
            maxLength={60}
            {...field("lastName")}
          />
          <DateField label="Date de naissance" max={todayInParis()} {...field("bornOn")} />
        </>
      ) : (
        <CardNumberInput label="Numéro de carte" {...field("number")} />
      )}
      {way === "code" && (
        <TextInput
          label="Code imprimé"
          hint="8 chiffres, dans le courrier reçu avec la carte."
          inputMode="numeric"
          autoComplete="off"
          value={values.code.replace(/^(\d{4})(?=\d)/, "$1 ")}
          onValue={(typed) => set({ code: typed.replaceAll(/\D/g, "").slice(0, 8) })}
          error={errorOf("code")}
        />
      )}
      <ProblemBanner problem={problem} title="Rien n’a été fait." />
      <FormActions
        submit={
          way === "code"
            ? "Rattacher la carte"
            : way === "first"
              ? "Demander la carte"
              : "Envoyer l’invitation"
        }
        isSending={add.isPending}
        onCancel={() => {
          discard();
          onClose();
        }}
      />
    </form>
  );
}
