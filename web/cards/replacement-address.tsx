// Where the replacement of a person's card is sent.
import { Link } from "#web/ui/link.tsx";

/** An item of the list of what a replacement brings. */
export const ReplacementAddress = () => (
  <li>
    La nouvelle carte part à l’adresse postale que le service clients connaît.{" "}
    <Link href="/contact?ecrire=1">Signaler une nouvelle adresse</Link>
  </li>
);
