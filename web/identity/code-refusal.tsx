// A code that could not be sent.
import type { ApiProblem } from "#web/app/transport/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Icon } from "#web/ui/icon.tsx";
import styles from "./identity.module.css";

/** Why no code left, and whom to call where none ever can (spec.md 20). */
export function CodeRefusal({ problem }: { problem: ApiProblem }) {
  const support = problem.code === "no_channel" ? problem.details["supportPhone"] : null;
  return (
    <Banner
      tone="danger"
      alert
      title={
        problem.code === "no_channel" ? "Aucun code ne peut partir d’ici" : "Aucun code n’est parti"
      }
      actions={
        typeof support === "string" && (
          <a className={styles.identityCall} href={`tel:${support.replaceAll(/[^\d+]/g, "")}`}>
            <Icon name="phone" size={20} /> Appeler le {support}
          </a>
        )
      }
    >
      {problem.message}
    </Banner>
  );
}
