// Where the replacement of a person's card is sent.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { Link } from "#web/ui/link.tsx";

/** An item of the list of what a replacement brings. */
export const ReplacementAddress = () => (
  <li>
    La nouvelle carte part à l’adresse postale que le service clients connaît.{" "}
    <Link href={linkTo(paths.contact, {}, { write: "1" })}>Signaler une nouvelle adresse</Link>
  </li>
);
