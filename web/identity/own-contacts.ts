// Changing one's own e-mail and phone.
import { api } from "#contract/api.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { type Answer, call } from "#web/app/transport/api.ts";
import { currentUser, keepUser } from "#web/app/transport/session.ts";
import type { ContactCalls } from "./contact-row.tsx";

type Profile = Answer<typeof api.identity.profile>;

export const ownContactCalls: ContactCalls = {
  email: (email, proof) => call(api.identity.changeEmail, { email, ...proof }),
  phone: (phonenumber, proof) => call(api.identity.changePhone, { phonenumber, ...proof }),
  keep: async ({ email, phonenumber }) => {
    queryClient.setQueryData<Profile>(
      keyOf(api.identity.profile, {}),
      (profile) => profile && { ...profile, email, phonenumber },
    );
    const user = currentUser.get();
    if (user) await keepUser({ ...user, email, phonenumber });
  },
};
