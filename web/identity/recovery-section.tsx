// Recovery codes: how many are left, and making new ones, shown this once.
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { CopyButton } from "#web/ui/person.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { CodeRefusal } from "./code-refusal.tsx";
import styles from "./profile.module.css";

export function RecoverySection() {
  const state = useAnswer(api.identity.recoveryCodes, {});
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = useAction((_: void, proof) => call(api.identity.makeRecoveryCodes, proof), {
    onDone: (made) => setCodes(made.codes),
  });
  const { problem } = make;
  return (
    <Section title="Codes de secours">
      <Text tone="soft" size="fine">
        À garder sur papier. Si votre téléphone et votre e-mail sont hors de portée, un code permet
        de choisir un nouveau mot de passe depuis «&nbsp;Mot de passe oublié&nbsp;». Chaque code
        sert une fois.
      </Text>
      {!state.data && (
        <NotLoaded
          answer={state}
          height="2.75rem"
          failed="L’état de vos codes n’a pas pu être chargé."
        />
      )}
      {problem?.code === "no_channel" && <CodeRefusal problem={problem} />}
      {problem && problem.code !== "no_channel" && (
        <ProblemBanner problem={problem} title="Les codes n’ont pas été créés." />
      )}
      {codes && <Codes codes={codes} onDone={() => setCodes(null)} />}
      {state.data && !codes && (
        <div className={styles.passwordRow}>
          <Text tone="soft" size="fine">
            {state.data.madeAt ? (
              <>
                {plural(state.data.left, "code restant", "codes restants")}, créés le{" "}
                <DateText at={state.data.madeAt} />
              </>
            ) : (
              "Vous n’avez pas encore de codes de secours."
            )}
          </Text>
          <Button size="small" icon="shield" loading={make.isPending} onClick={() => make.send()}>
            {state.data.madeAt ? "Remplacer les codes" : "Créer des codes de secours"}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `Codes de secours Ma carte\n\n${codes.join("\n")}\n\nChaque code sert une fois.\n`;
  const keep = () =>
    save({ blob: new Blob([text], { type: "text/plain" }), filename: "codes-de-secours.txt" });
  return (
    <div className={styles.recovery}>
      <h3 ref={heading} tabIndex={-1}>
        Notez vos {codes.length} codes maintenant
      </h3>
      <Text tone="soft" size="fine">
        Ils ne seront plus jamais affichés. Ceux que vous aviez avant ne servent plus.
      </Text>
      <ol className={styles.recoveryCodes} aria-label="Codes de secours">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Actions gap={4}>
        <Button size="small" icon="download" onClick={keep}>
          Enregistrer dans un fichier
        </Button>
        <CopyButton text={text} label="Copier les codes" />
        <Button size="small" kind="primary" icon="check" onClick={onDone}>
          J’ai noté mes codes
        </Button>
      </Actions>
    </div>
  );
}
