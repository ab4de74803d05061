// The step of the representative: who answers for the company, and where the code goes.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { isEmail } from "#contract/email.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { PhoneInput } from "#web/ui/phone.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import type { PartProps } from "./company-step.tsx";
import { draftName, refusalOf, useStep } from "./use-membership.ts";

interface Fields {
  name: string;
  function: string;
  email: string;
  phone: string;
  /** The number in E.164, null while what is typed is none. */
  e164: string | null;
}

/** Begins again from what is kept once the server has refused an outdated write. */
export function RepresentativeStep(props: PartProps) {
  const [base, setBase] = useState(props.page);
  const { onDone } = props;
  const write = useStep(api.memberships.representative, { onDone, onOutdated: setBase });
  return <Form key={base.membership?.version ?? 0} {...props} base={base} write={write} />;
}

function Form({
  page,
  base,
  write,
  submit = "Continuer",
}: PartProps & {
  base: MembershipPage;
  write: ReturnType<typeof useStep<typeof api.memberships.representative>>;
}) {
  const user = useUser();
  const known = base.membership?.representative ?? {
    name: user.name,
    function: "",
    email: user.email ?? "",
    phonenumber: user.phonenumber ?? "",
  };
  const first: Fields = {
    name: known.name,
    function: known.function,
    email: known.email,
    phone: frenchPhone(known.phonenumber),
    e164: known.phonenumber || null,
  };
  const sending = {
    ...write,
    error: refusalOf(write.error),
    mutateAsync: ({ name, function: role, email, e164 }: Fields) =>
      write.mutateAsync({
        service: page.service.code,
        version: base.membership?.version ?? 0,
        name,
        function: role,
        email: email.trim(),
        phonenumber: e164 ?? "",
      }),
  };
  const { field, values, set, errorOf, problem, form } = useForm<Fields>(first, rules, sending, {
    draft: {
      name: draftName("representative", base),
      fields: ["name", "function", "email", "phone", "e164"],
    },
    problemFields: { phone_invalid: "phone", phone_not_mobile: "phone" },
  });
  return (
    <form {...form}>
      <StepHeading>Son représentant</StepHeading>
      <TextInput label="Prénom et nom" autoComplete="name" maxLength={120} {...field("name")} />
      <TextInput
        label="Fonction"
        hint="Par exemple gérante, président, trésorier."
        autoComplete="organization-title"
        maxLength={80}
        {...field("function")}
      />
      <TextInput
        label="Adresse e-mail"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        {...field("email")}
      />
      <PhoneInput
        label="Téléphone"
        hint={page.codeBy === "sms" ? "Un code à usage unique y sera envoyé." : undefined}
        value={values.phone}
        onValue={(phone, e164) => set({ phone, e164 })}
        error={errorOf("phone")}
      />
      <ProblemBanner problem={problem} title="Rien n’a été enregistré." />
      <FormActions submit={submit} iconEnd="forward" isSending={write.isPending} />
    </form>
  );
}

const rules = ({ name, function: role, email, e164 }: Fields) => ({
  name: !/\p{L}/u.test(name) && "Indiquez le prénom et le nom.",
  function: role.trim() === "" && "Indiquez la fonction dans l’entreprise.",
  email: !isEmail(email) && "Indiquez une adresse e-mail complète, par exemple nom@exemple.fr.",
  phone: e164 === null && "Indiquez un numéro complet, par exemple 06 12 34 56 78.",
});
