// « Agir pour cette carte »: the dashboard, the wallets and what follows show the child's card.
import { useNavigate } from "@tanstack/react-router";
import { paths } from "#contract/paths.ts";
import { actFor, actForOneself } from "#web/app/transport/session.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Button } from "#web/ui/button.tsx";

export function ActForButton({ cardnumber }: { cardnumber: number }) {
  const user = useUser();
  const navigate = useNavigate();
  const acting = user.previousCardnumber > 0 && user.cardnumber === cardnumber;
  const turn = () => {
    if (acting) actForOneself();
    else actFor(cardnumber);
    void navigate({ to: paths.dashboard });
  };
  return (
    <Button icon="swap" onClick={turn}>
      {acting ? "Revenir à ma carte" : "Agir pour cette carte"}
    </Button>
  );
}
