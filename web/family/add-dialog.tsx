// « Ajouter un membre »: an invitation to a card number, or the code printed for a card without phone.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { ofName } from "#contract/french.ts";
import { todayInParis } from "#contract/days.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import type { InvitedAs, Member } from "#contract/family/rows.ts";
import { call } from "#web/app/transport/api.ts";
import type { Proof } from "#web/app/transport/code-request.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { type Option, RadioGroup, Select } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault } from "#web/ui/days.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { CardNumberInput, TextInput } from "#web/ui/input.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { SharedLink } from "#web/ui/shared-link.tsx";
import styles from "./add-dialog.module.css";

type AddMethod = "code" | "child" | "first" | "guardian" | "relative";

const ways = (hasChild: boolean): Option<AddMethod>[] => [
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
  /** Who is in the family already: children to share, and people to propose before a card number. */
  members: readonly Member[];
}

export function AddDialog({ open, onClose, members }: Props) {
  const [address, setAddress] = useState<string | null>(null);
  const close = () => {
    setAddress(null);
    onClose();
  };
  const place = useFocusAtStep(address === null ? "form" : "link");
  return (
    <Dialog
      open={open}
      onClose={close}
      title={address === null ? "Ajouter un membre" : "Votre lien est prêt"}
    >
      <div ref={place}>
        {address === null ? (
          <AddForm onClose={close} onLink={setAddress} members={members} />
        ) : (
          <>
            <p className={styles.linkLead}>
              Envoyez-le à la personne que vous invitez. La première qui l’ouvre peut accepter,
              pendant 14 jours. Il ne sera plus montré.
            </p>
            <SharedLink
              title="Rejoindre ma famille sur Ma carte"
              address={address}
              onDone={close}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Members who could take a role: a relative as a child, an adult as the guardian of a child. */
function candidatesFor(
  way: AddMethod | null,
  child: Member | undefined,
  members: readonly Member[],
) {
  if (way === "child") return members.filter(({ relation }) => relation === "relative");
  if (way !== "guardian" || !child) return [];
  return members.filter(
    ({ relation, shares }) => relation === "relative" && !shares.includes(child.name),
  );
}

/** The fields as they are typed. */
interface Added {
  way: AddMethod | null;
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
async function addMember(
  { way, number, code, child, ...first }: Added,
  proof: Proof,
): Promise<string> {
  const cardnumber = Number(number);
  if (way === "code") {
    const member = await call(api.family.join, { cardnumber, code });
    return `${member.name} est maintenant dans votre famille.`;
  }
  if (way === "first") {
    const request = await call(api.enrolment.ask, first);
    return `La première carte ${ofName(request.name)} est demandée.`;
  }
  const named = way === "guardian" ? { child: Number(child) } : {};
  const invitation = { cardnumber, role: way ?? "relative", ...named } as const;
  await call(api.family.invite, { ...invitation, ...proof });
  return "Invitation envoyée. Elle attend la réponse de cette carte.";
}

function AddForm({
  onClose,
  onLink,
  members,
}: Omit<Props, "open"> & { onLink: (address: string) => void }) {
  const childCards = members.filter(({ relation }) => relation === "child");
  const only = childCards.length === 1 ? String(childCards[0]?.cardnumber) : "";
  const add = useAction(addMember, { says: (text) => text, onDone: onClose });
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
  const child = childCards.find(({ cardnumber }) => String(cardnumber) === values.child);
  const candidates = candidatesFor(way, child, members);
  const byLink = useAction(
    (role: InvitedAs, proof) =>
      call(api.family.inviteByLink, {
        role,
        ...(role === "guardian" && { child: Number(values.child) }),
        ...proof,
      }),
    {
      onDone: ({ address }) => {
        discard();
        onLink(address);
      },
    },
  );
  const isInvitation = way === "child" || way === "guardian" || way === "relative";
  const fault = problem ?? byLink.problem;
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
          byLink.reset();
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
      {candidates.length > 0 && (
        <ul className={styles.candidates} aria-label="Vos proches">
          {candidates.map(({ cardnumber, name }) => (
            <li key={cardnumber}>
              <Avatar name={name} size="small" />
              <span className={styles.candidateName}>{name}</span>
              <Button
                size="small"
                icon="send"
                loading={add.isPending && add.variables.number === String(cardnumber)}
                onClick={() => add.isPending || add.send({ ...values, number: String(cardnumber) })}
              >
                Inviter<span className="unseen"> {name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isInvitation && (way !== "guardian" || child) && (
        <Button
          icon="copy"
          loading={byLink.isPending}
          onClick={() => byLink.isPending || byLink.send(way)}
        >
          Créer un lien à partager
        </Button>
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
            hint="Laissez vide si l’enfant n’a qu’un seul nom."
            required={false}
            autoComplete="off"
            maxLength={60}
            {...field("lastName")}
          />
          <DateField label="Date de naissance" max={todayInParis()} {...field("bornOn")} />
        </>
      ) : (
        <CardNumberInput
          label={isInvitation ? "Ou son numéro de carte" : "Numéro de carte"}
          {...field("number")}
        />
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
      <ProblemBanner problem={fault} title="Rien n’a été fait." />
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
