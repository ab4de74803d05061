// Charges that a till stored on this device without network: sent from the home too, for whoever never opens
// the till again, and told to a colleague who is signed in here, since only their author can send them.
import { useEffect } from "react";
import { plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { useObserved, useOnline, useUser } from "#web/app/transport/use-observed.ts";
import {
  chargesOnDevice,
  offlineCharges,
  openCharges,
  sendCharges,
} from "#web/till/offline-charges.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";

export function UnsentTill() {
  const { objectID } = useUser();
  const online = useOnline();
  const items = useObserved(offlineCharges);
  useEffect(() => {
    if (online) void openCharges().then(sendCharges);
  }, [online]);
  const { others } = chargesOnDevice(objectID);
  const waiting = items.filter(({ result }) => !result).length;
  const lost = items.filter(
    ({ result }) => result?.conflict && result.conflict !== "withdrawn",
  ).length;
  return (
    <>
      {waiting + lost > 0 && (
        <Banner
          tone={lost > 0 ? "danger" : "warning"}
          title={
            lost > 0
              ? `${plural(lost, "achat hors connexion")} non ${lost > 1 ? "débités" : "débité"}`
              : `${plural(waiting, "achat")} hors connexion à envoyer`
          }
          actions={
            <ButtonLink size="small" href={paths.till}>
              Ouvrir la caisse
            </ButtonLink>
          }
        >
          {lost > 0
            ? "La caisse dit pourquoi, et que faire."
            : "Ils partent dès que le réseau répond. Laissez cette page ouverte."}
        </Banner>
      )}
      {others && (
        <Banner tone="warning" title="Des achats d’un collègue attendent sur cet appareil">
          Ils ont été encaissés sans réseau sous un autre compte. Demandez à cette personne de se
          connecter ici&#8239;: après 7 jours, ils ne sont plus débités.
        </Banner>
      )}
    </>
  );
}
