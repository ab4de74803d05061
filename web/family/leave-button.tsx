// Ending a tie asks before it acts.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { ofName } from "#contract/french.ts";
import type { Member } from "#contract/family/rows.ts";
import { paths } from "#contract/paths.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { actForOneself, currentUser } from "#web/app/transport/session.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Button } from "#web/ui/button.tsx";

/** Nothing where the tie cannot be ended from here. */
export function LeaveButton({ member }: { member: Member }) {
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  const { cardnumber, name, relation, shares } = member;
  const child = relation === "child";
  const leave = useAction(() => call(api.family.leave, { cardnumber }), {
    says: ({ message }) => message,
    onDone: () => {
      // One does not go on acting for a card that one left.
      if (currentUser.get()?.cardnumber === cardnumber) actForOneself();
      return navigate({ to: paths.family });
    },
  });
  if (!member.canLeave) return null;
  return (
    <>
      <Button kind="ghost" icon="close" onClick={() => setIsOpen(true)}>
        {child ? "Ne plus être responsable" : "Retirer"}
      </Button>
      <ConfirmAction
        act={leave}
        open={isOpen}
        onClose={() => setIsOpen(false)}
        failed="Rien n’a changé."
        title={child ? `Ne plus être responsable ${ofName(name)}\u202f?` : `Retirer ${name}\u202f?`}
        confirm={child ? "Ne plus être responsable" : "Retirer de ma famille"}
        cancel={child ? "Rester responsable" : "Garder"}
        danger
      >
        <p>
          {child
            ? `Vous ne verrez plus sa carte ni son solde. ${shares.join(" et ")} en garde la responsabilité.`
            : "Vous ne pourrez plus vous envoyer d’argent. Une nouvelle invitation le permettra."}
        </p>
      </ConfirmAction>
    </>
  );
}
