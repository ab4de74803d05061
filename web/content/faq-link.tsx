import type { FaqEntry } from "#contract/content.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";

/** Below the answers: whom to ask what they do not say. */
export const StillAsking = () => (
  <p className="faq-asking">
    Vous n’avez pas trouvé&#8239;? <Link href="/contact?ecrire=1">Écrivez-nous</Link>
  </p>
);

/** A question that leads to its answer, with the answer's beginning where it is given. */
export const FaqLink = ({ entry, summary }: { entry: FaqEntry; summary?: string }) => (
  <Link className="faq-link" href={`/faq/${entry.id}`}>
    <span className="faq-words">
      <span className="faq-question">{entry.question}</span>
      {summary && <span className="faq-summary">{summary}</span>}
    </span>
    <Icon name="right" size={20} />
  </Link>
);
