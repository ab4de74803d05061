// What is owed of a payment that the bank took back after it was spent, and how it is settled.
import { formatMoney } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";

/** Nothing where nothing is owed. */
export function Owed({ cents }: { cents: number }) {
  if (cents === 0) return null;
  return (
    <Banner
      tone="warning"
      title={`${formatMoney(cents)} restent à régler`}
      actions={
        <ButtonLink size="small" href={linkTo(paths.contact, {}, { write: "1" })}>
          Écrire au service clients
        </ButtonLink>
      }
    >
      Cet argent était déjà dépensé quand la banque a repris le paiement. Il se règle par virement,
      ou sur ce que contient la cagnotte{"\u202f"}: écrivez-nous, nous vous dirons comment.
    </Banner>
  );
}
