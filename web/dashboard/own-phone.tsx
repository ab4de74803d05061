// One's own phone number on « Ma carte » (spec §2), changed there with a code sent to the new one.
import { lazy, Suspense } from "react";
import { useUser } from "#web/app/use-observed.ts";
import { ownContactCalls } from "#web/identity/own-contacts.ts";
import { Section } from "#web/ui/layout.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

const PhoneContact = lazy(async () => ({
  default: (await import("#web/identity/contact-rows.tsx")).PhoneContact,
}));

export function OwnPhone() {
  const { email, phonenumber } = useUser();
  return (
    <Section title="Mon téléphone">
      <Suspense
        fallback={
          <Loading label="Chargement du téléphone…">
            <Skeleton height="3.8125rem" />
          </Loading>
        }
      >
        <PhoneContact contacts={{ email, phonenumber }} calls={ownContactCalls} />
      </Suspense>
    </Section>
  );
}
