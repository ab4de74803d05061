import type { FaqEntry } from "#contract/content/rows.ts";
import { bindGuillemets } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import styles from "./faq.module.css";

/** Below the answers: whom to ask what they do not say. */
export const StillAsking = () => (
  <p className={styles.faqAsking}>
    Vous n’avez pas trouvé&#8239;?{" "}
    <Link href={linkTo(paths.contact, {}, { write: "1" })}>Écrivez-nous</Link>
  </p>
);

/** A question that leads to its answer, with the answer's beginning where it is given. */
export const FaqLink = ({ entry, summary }: { entry: FaqEntry; summary?: string }) => (
  <Link className={styles.faqLink} href={linkTo(paths.faqAnswer, { id: entry.id })}>
    <span className={styles.faqWords}>
      <span className={styles.faqQuestion}>{bindGuillemets(entry.question)}</span>
      {summary && <span className={styles.faqSummary}>{bindGuillemets(summary)}</span>}
    </span>
    <Icon name="right" size={20} />
  </Link>
);
