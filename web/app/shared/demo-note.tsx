// In demo mode no message leaves: the screens that wait for a code say where it can be read.
import { api } from "#contract/api.ts";
import { demoMessagesPath } from "#contract/demo/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";

export function DemoNote() {
  const { data } = useAnswer(api.portal.settings, {});
  if (!data?.demo) return null;
  return (
    <p>
      Démonstration&#8239;: aucun message ne part.{" "}
      <a href={demoMessagesPath} target="_blank" rel="noreferrer">
        Lire le code dans les messages gardés
        <span className="unseen"> (nouvel onglet)</span>
      </a>
    </p>
  );
}
