// The foot of every page: what its accessibility is declared to be, and the pages that the law asks for.
import { type Conformity, conformityMention, footLinks } from "#contract/content/legal.ts";
import { paths } from "#contract/paths.ts";
import { Link } from "#web/ui/link.tsx";
import styles from "./footer.module.css";

export function Footer({ conformity }: { conformity: Conformity }) {
  return (
    <footer className={styles.footer}>
      <nav aria-label="Informations légales">
        <ul>
          <li>
            <Link href={paths.accessibility}>{conformityMention(conformity)}</Link>
          </li>
          {footLinks.map(({ href, label }) => (
            <li key={href}>
              <Link href={href}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
    </footer>
  );
}
