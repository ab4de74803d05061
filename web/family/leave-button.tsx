// Ending a tie asks before it acts.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { ofName } from "#contract/french.ts";
import type { Member } from "#contract/family/rows.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { actForOneself, currentUser } from "#web/app/session.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { notify } from "#web/ui/toast.tsx";

/** Nothing where the tie cannot be ended from here. */
export function LeaveButton({ member }: { member: Member }) {
  const [asked, setAsked] = useState(false);
  const navigate = useNavigate();
  const { cardnumber, name, relation, shares } = member;
  const child = relation === "child";
  const leave = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.family.leave, { cardnumber }),
    onSuccess: async ({ message }) => {
      // One does not go on acting for a card that one left.
      if (currentUser.get()?.cardnumber === cardnumber) actForOneself();
      await navigate({ to: "/family" });
      notify({ text: message, kind: "success" });
    },
  });
  if (!member.canLeave) return null;
  return (
    <>
      <Button kind="ghost" icon="close" onClick={() => setAsked(true)}>
        {child ? "Ne plus être responsable" : "Retirer"}
      </Button>
      <AlertDialog
        open={asked}
        onClose={() => {
          leave.reset();
          setAsked(false);
        }}
        title={child ? `Ne plus être responsable ${ofName(name)}\u202f?` : `Retirer ${name}\u202f?`}
        confirm={child ? "Ne plus être responsable" : "Retirer de ma famille"}
        cancel={child ? "Rester responsable" : "Garder"}
        danger
        loading={leave.isPending}
        onConfirm={() => leave.mutate()}
      >
        <p>
          {child
            ? `Vous ne verrez plus sa carte ni son solde. ${shares.join(" et ")} en garde la responsabilité.`
            : "Vous ne pourrez plus vous envoyer d’argent. Une nouvelle invitation le permettra."}
        </p>
        <ProblemBanner problem={leave.error} title="Rien n’a changé." />
      </AlertDialog>
    </>
  );
}
