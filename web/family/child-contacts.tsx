// Where a child is reached: shown to its guardians, who change it with a code to the new address.
import { useMemo } from "react";
import { api } from "#contract/api.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import type { ContactCalls } from "#web/identity/contact-row.tsx";
import { ContactRows } from "#web/identity/contact-rows.tsx";
import { Loaded } from "#web/ui/state.tsx";

export function ChildContacts({ cardnumber }: { cardnumber: number }) {
  const contacts = useAnswer(api.family.contacts, { cardnumber });
  const calls = useMemo(() => callsFor(cardnumber), [cardnumber]);
  return (
    <Loaded
      answer={contacts}
      label="Chargement des coordonnées…"
      lines={2}
      height="4rem"
      failed="Les coordonnées n’ont pas pu être chargées."
    >
      {(seen) => <ContactRows contacts={seen} calls={calls} />}
    </Loaded>
  );
}

const callsFor = (cardnumber: number): ContactCalls => ({
  email: (email, proof) => call(api.family.setChildEmail, { cardnumber, email, ...proof }),
  phone: (phonenumber, proof) =>
    call(api.family.setChildPhone, { cardnumber, phonenumber, ...proof }),
  keep: (contacts) => {
    queryClient.setQueryData(keyOf(api.family.contacts, { cardnumber }), contacts);
    return Promise.resolve();
  },
});
