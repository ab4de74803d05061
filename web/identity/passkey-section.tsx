// Passkeys: what they are for, those one has, and making, naming or removing one (spec.md 14).
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Passkey } from "#contract/identity/sign-in.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ApiProblem, call } from "#web/app/transport/api.ts";
import { CodeAbandoned } from "#web/app/transport/code-request.ts";
import { passkeysWork } from "#web/app/transport/passkey-support.ts";
import { makePasskey, PasskeyAbandoned } from "#web/app/transport/passkeys.ts";
import { withCode } from "#web/app/transport/step-up.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { notify } from "#web/ui/toast.tsx";
import { CodeRefusal } from "./code-refusal.tsx";
import profileStyles from "./profile.module.css";

type Refusal = ApiProblem | CodeAbandoned | PasskeyAbandoned;

export function PasskeySection() {
  const list = useAnswer(api.identity.passkeys, {});
  const works = passkeysWork();
  const add = useMutation<Passkey, Refusal>({
    mutationFn: async () => {
      const { options } = await withCode((proof) => call(api.identity.passkeyOptions, proof));
      return await call(api.identity.addPasskey, { response: await makePasskey(options) });
    },
    // In the words of the notice that follows: they are shown once.
    onSuccess: () => notify({ text: "Clé d'accès ajoutée", kind: "success" }),
  });
  return (
    <Section title="Clés d’accès">
      <Text tone="soft" size="fine">
        Ouvrez votre compte avec l’empreinte, le visage ou le code de votre appareil, sans mot de
        passe à retenir ni à se faire voler.
      </Text>
      {!list.data && (
        <NotLoaded
          answer={list}
          label="Chargement de vos clés d’accès…"
          height="4.5rem"
          failed="Vos clés d’accès n’ont pas pu être chargées."
        />
      )}
      {list.data && list.data.items.length > 0 && (
        <ul aria-label="Vos clés d’accès">
          {list.data.items.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <Refused problem={add.error} title="La clé d’accès n’a pas été ajoutée." />
      {list.data && !works && (
        <Banner tone="info">
          Ce navigateur ne peut pas créer de clé d’accès à cette adresse. Essayez depuis votre
          téléphone, ou avec un navigateur à jour.
        </Banner>
      )}
      {list.data && works && (
        <Actions gap={4}>
          <Button size="small" icon="key" loading={add.isPending} onClick={() => add.mutate()}>
            Ajouter une clé d’accès
          </Button>
        </Actions>
      )}
    </Section>
  );
}

/** What went wrong, unless the person simply closed the dialog of the code. */
function Refused({ problem, title }: { problem: Refusal | null; title: string }) {
  if (!problem || problem instanceof CodeAbandoned) return null;
  if (problem instanceof ApiProblem && problem.code === "no_channel") {
    return <CodeRefusal problem={problem} />;
  }
  return problem instanceof PasskeyAbandoned ? (
    <Banner tone="info" alert title={title}>
      {problem.message}
    </Banner>
  ) : (
    <ProblemBanner problem={problem} title={title} />
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { id, name, createdAt, lastUsedAt, synced } = passkey;
  const [naming, setNaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const remove = useAction((_: void, proof) => call(api.identity.removePasskey, { id, ...proof }), {
    says: "Clé d'accès supprimée",
  });
  const close = () => {
    setNaming(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <li className={profileStyles.contact}>
      <div className={profileStyles.contactShown}>
        <IconTile icon="key" />
        <p className={profileStyles.contactText}>
          <span className={profileStyles.contactValue}>{name}</span>
          <Text as="span" tone="soft" size="fine">
            {synced ? "Synchronisée" : "Un seul appareil"}
            {" · "}
            {lastUsedAt ? (
              <>
                utilisée le <DateText at={lastUsedAt} time />
              </>
            ) : (
              <>
                ajoutée le <DateText at={createdAt} />
              </>
            )}
          </Text>
        </p>
        {!naming && (
          <Actions gap={8}>
            <Button
              ref={opener}
              size="small"
              kind="ghost"
              aria-label={`Renommer ${name}`}
              onClick={() => setNaming(true)}
            >
              Renommer
            </Button>
            <Button
              size="small"
              aria-label={`Supprimer ${name}`}
              loading={remove.isPending}
              onClick={() => remove.send()}
            >
              Supprimer
            </Button>
          </Actions>
        )}
      </div>
      <Refused problem={remove.problem} title="La clé d’accès n’a pas été supprimée." />
      {naming && <NameForm passkey={passkey} onClose={close} />}
    </li>
  );
}

function NameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useMutation<Passkey, ApiProblem, { name: string }>({
    mutationFn: ({ name }) =>
      call(api.identity.renamePasskey, { id: passkey.id, name: name.trim() }),
    // Once the list has the new name.
    onSettled: (_renamed, problem) => {
      if (!problem) onClose();
    },
  });
  const { field, problem, form } = useForm(
    { name: passkey.name },
    ({ name }) => ({ name: name.trim() === "" && "Donnez un nom à cette clé." }),
    rename,
  );
  return (
    <form {...form} className={`${form.className} ${profileStyles.contactForm}`}>
      <TextInput
        label="Nom de la clé d’accès"
        hint="Pour la reconnaître, par exemple «&nbsp;Téléphone&nbsp;»."
        maxLength={60}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to type it
        autoFocus
        {...field("name")}
      />
      <ProblemBanner problem={problem} title="Le nom n’a pas été changé." />
      <FormActions submit="Enregistrer le nom" isSending={rename.isPending} onCancel={onClose} />
    </form>
  );
}
