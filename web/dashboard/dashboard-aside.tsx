// What comes later, and one's own phone: beside the rest of the dashboard where there is room, else below it.
import type { HomeComing } from "#contract/portal/home.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { ComingList } from "./coming-list.tsx";
import { OwnPhone } from "./own-phone.tsx";

export const DashboardAside = ({
  user,
  coming,
}: {
  user: CurrentUser;
  coming: readonly HomeComing[];
}) => (
  <>
    <ComingList list={coming} />
    {user.previousCardnumber === 0 && <OwnPhone />}
  </>
);
