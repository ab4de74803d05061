// The secret address that a phone's calendar subscribes to: made, replaced, ended.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { SharedLink } from "#web/ui/shared-link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";

/** `address` is the one that was just made: the server tells it this once. */
export function MealCalendar({
  address,
  onAddress,
}: {
  address: string | null;
  onAddress: (address: string | null) => void;
}) {
  const answer = useAnswer(api.canteen.calendar, {});
  const [confirming, setConfirming] = useState<"replace" | "revoke" | null>(null);
  const make = useAction(() => call(api.canteen.makeCalendar, {}), {
    onDone: (made) => {
      setConfirming(null);
      onAddress(made.address);
    },
  });
  const revoke = useAction(() => call(api.canteen.revokeCalendar, {}), {
    says: ({ message }) => message,
    onDone: () => {
      setConfirming(null);
      onAddress(null);
    },
  });
  const madeAt = answer.data?.madeAt ?? null;
  return (
    <>
      <Stack gap={20}>
        <p>
          Votre agenda suit les repas de la famille par une adresse secrète{"\u202f"}: qui mange, où
          et quand. Les repas annulés y sont barrés.
        </p>
        {!answer.data && (
          <NotLoaded answer={answer} height="2.75rem" failed="L’adresse n’a pas pu être lue." />
        )}
        {address !== null ? (
          <>
            <p>
              Ouvrez cette adresse dans votre agenda, ou copiez-la («&nbsp;S’abonner à un
              calendrier&nbsp;»). Elle n’est montrée que cette fois. Qui la connaît voit ces repas
              {"\u202f"}: ne la donnez qu’à vos proches.
            </p>
            <div>
              <ButtonLink icon="calendar" href={address.replace(/^https?:/, "webcal:")}>
                Ouvrir dans l’agenda
              </ButtonLink>
            </div>
            <SharedLink
              title="Repas de la famille"
              address={address}
              onDone={() => onAddress(null)}
            />
          </>
        ) : (
          answer.data && (
            <>
              {madeAt !== null && (
                <Text tone="soft" size="small">
                  Une adresse sert depuis le {formatDate(madeAt)}.
                </Text>
              )}
              <Actions>
                {madeAt === null ? (
                  <Button icon="calendar" loading={make.isPending} onClick={() => make.send()}>
                    Créer une adresse
                  </Button>
                ) : (
                  <>
                    <Button icon="refresh" onClick={() => setConfirming("replace")}>
                      Remplacer l’adresse
                    </Button>
                    <Button kind="ghost" onClick={() => setConfirming("revoke")}>
                      Supprimer l’adresse
                    </Button>
                  </>
                )}
              </Actions>
            </>
          )
        )}
        {confirming === null && <ProblemBanner problem={make.problem} />}
      </Stack>
      {confirming && (
        <AlertDialog
          open
          onClose={() => setConfirming(null)}
          title={
            confirming === "replace" ? "Remplacer l’adresse\u202f?" : "Supprimer l’adresse\u202f?"
          }
          confirm={confirming === "replace" ? "Remplacer" : "Supprimer"}
          cancel="Garder l’adresse"
          danger
          loading={make.isPending || revoke.isPending}
          onConfirm={() => (confirming === "replace" ? make.send() : revoke.send())}
        >
          <p>Les agendas qui suivent l’adresse actuelle ne recevront plus rien.</p>
          <ProblemBanner problem={make.problem ?? revoke.problem} />
        </AlertDialog>
      )}
    </>
  );
}
