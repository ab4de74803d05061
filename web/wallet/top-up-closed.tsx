// Where a wallet can take nothing now: why, and what will change it.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { short, takesMore } from "./top-up-limits.ts";

export const isClosed = (wallet: Wallet): boolean => wallet.frozen || !takesMore(wallet);

/** A wallet under dispute, or one that is full. */
export function TopUpClosed({ wallet }: { wallet: Wallet }) {
  const operations = (
    <ButtonLink href={linkTo(paths.movements, wallet)}>Voir les opérations</ButtonLink>
  );
  if (wallet.frozen) {
    return (
      <Banner tone="danger" title="Cette cagnotte est bloquée" actions={operations}>
        Une recharge est contestée auprès de la banque. Rien ne peut être ajouté ni payé le temps du
        litige. Une question&#8239;?{" "}
        <Link href={linkTo(paths.contact, {}, { write: "1" })}>Écrivez-nous</Link>.
      </Banner>
    );
  }
  return (
    <EmptyState icon="wallet" title="Cette cagnotte est pleine" action={operations}>
      Elle contient {short(wallet.balanceCents)} et ne dépasse pas {short(wallet.capCents)}. Vous
      pourrez la recharger, d’au moins {short(wallet.topUpMinCents)}, quand une partie aura été
      dépensée.
    </EmptyState>
  );
}

/** An installation without a payment provider says so, and whom to call. */
export const PaymentsOff = ({ phone }: { phone: string | null }) => (
  <EmptyState
    icon="card"
    title="La recharge en ligne n’est pas ouverte ici"
    action={<ButtonLink href={paths.dashboard}>Revenir à ma carte</ButtonLink>}
  >
    Adressez-vous au service clients{phone ? ` au ${phone}` : ""} pour ajouter de l’argent à cette
    cagnotte.
  </EmptyState>
);
