// One's own phone number on « Ma carte » (spec §2), changed there with a code sent to the new one.
import { lazy } from "react";
import { useUser } from "#web/app/transport/use-observed.ts";
import { PhoneContact } from "#web/identity/contact-row.tsx";
import { ownContactCalls } from "#web/identity/own-contacts.ts";
import { Section } from "#web/ui/layout.tsx";

const PhoneForm = lazy(async () => ({
  default: (await import("#web/identity/contact-rows.tsx")).PhoneForm,
}));

export function OwnPhone() {
  const { email, phonenumber } = useUser();
  return (
    <Section title="Mon téléphone">
      <PhoneContact contacts={{ email, phonenumber }} calls={ownContactCalls} Form={PhoneForm} />
    </Section>
  );
}
