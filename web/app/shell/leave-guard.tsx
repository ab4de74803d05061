// Asks before typed values are lost: to another page, to the way back, to a closed tab of the browser, and
// to whatever of the kit asks whether it may take its part of the screen away.
import { useBlocker } from "@tanstack/react-router";
import { paths } from "#contract/paths.ts";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { hasUnsaved, mayLeave, useLeaveQuestion } from "#web/ui/unsaved.tsx";

export function LeaveGuard() {
  const question = useLeaveQuestion();
  useBlocker({
    // A session that ends by itself waits for nobody; parameters of the address that are replaced are a
    // filter or a tab, which asks by itself.
    shouldBlockFn: async ({ current, next, action }) =>
      next.pathname !== paths.login &&
      !(action === "REPLACE" && next.pathname === current.pathname) &&
      !(await mayLeave(null)),
    enableBeforeUnload: () => hasUnsaved(null),
  });
  if (!question) return null;
  const { number, answer } = question;
  return (
    <AlertDialog
      // Asked again at once, it is another dialog: the browser closes the first a moment later.
      key={number}
      open
      onClose={() => answer(false)}
      title={"Abandonner votre saisie\u202f?"}
      confirm="Abandonner"
      cancel="Continuer la saisie"
      onConfirm={() => answer(true)}
      danger
    >
      Ce que vous avez saisi ici n’est pas enregistré et sera perdu.
    </AlertDialog>
  );
}
