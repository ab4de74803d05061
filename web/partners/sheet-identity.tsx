// The name and the address of an own sheet, and the request for others, which the operator answers.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatDateTime } from "#contract/french.ts";
import type { SheetIdentity } from "#contract/partners/identity.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { ErrorState } from "#web/ui/state.tsx";

type Typed = Pick<SheetIdentity, "name" | "street" | "postcode" | "town">;

const keep = (id: string, answer: SheetIdentity) =>
  queryClient.setQueryData(keyOf(api.partners.identity, { id }), answer);

const wordsOf = ({ name, street, postcode, town }: Typed): string =>
  `${name}, ${street}, ${postcode} ${town}`;

export const useIdentity = (id: string) => useAnswer(api.partners.identity, { id });

export function SheetIdentityPart({
  id,
  answer,
}: {
  id: string;
  answer: ReturnType<typeof useIdentity>;
}) {
  const [open, setOpen] = useState(false);
  const seen = answer.data;
  if (!seen) {
    return (
      <Section title="Nom et adresse">
        <ErrorState title="Le nom et l’adresse n’ont pas pu être chargés." answer={answer} />
      </Section>
    );
  }
  return (
    <Section
      title="Nom et adresse"
      action={
        seen.canAsk && (
          <Button size="small" icon="edit" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Changer<span className="unseen"> le nom ou l’adresse</span>
          </Button>
        )
      }
    >
      <DefinitionList
        items={[
          { label: "Nom", value: seen.name },
          { label: "Adresse", value: `${seen.street}, ${seen.postcode} ${seen.town}` },
        ]}
      />
      {seen.request && <PendingRequest id={id} request={seen.request} />}
      <Dialog open={open} onClose={() => setOpen(false)} title="Changer le nom ou l’adresse">
        {open && <IdentityForm id={id} seen={seen} onDone={() => setOpen(false)} />}
      </Dialog>
    </Section>
  );
}

function PendingRequest({
  id,
  request: { identity: change, state, requestedAt, why },
}: {
  id: string;
  request: NonNullable<SheetIdentity["request"]>;
}) {
  const withdraw = useAction(() => call(api.partners.withdrawIdentity, { id }), {
    onDone: (answer) => keep(id, answer),
  });
  if (state === "refused") {
    return (
      <Banner tone="warning" title="Votre demande a été refusée">
        {wordsOf(change)}. {why}
      </Banner>
    );
  }
  return (
    <>
      <Banner
        title="Demande à l’étude"
        actions={
          <Button size="small" loading={withdraw.isPending} onClick={() => withdraw.send()}>
            Retirer la demande
          </Button>
        }
      >
        {wordsOf(change)}. Demandé le {formatDateTime(requestedAt)}&#8239;: nous vous répondons, et
        l’annuaire change dès notre accord.
      </Banner>
      <ProblemBanner problem={withdraw.problem} />
    </>
  );
}

function IdentityForm({
  id,
  seen,
  onDone,
}: {
  id: string;
  seen: SheetIdentity;
  onDone: () => void;
}) {
  const ask = useAction((typed: Typed) => call(api.partners.askIdentity, { id, ...typed }), {
    says: "Demande envoyée. Nous vous répondons.",
    onDone: (answer) => {
      keep(id, answer);
      onDone();
    },
  });
  const from = seen.request?.state === "waiting" ? seen.request.identity : seen;
  const { field, problem, form } = useForm<Typed>(
    { name: from.name, street: from.street, postcode: from.postcode, town: from.town },
    ({ name, street, postcode, town }) => ({
      name: name.trim() === "" && "Écrivez le nom de votre établissement.",
      street: street.trim() === "" && "Écrivez le numéro et la rue.",
      postcode: !/^\d{5}$/.test(postcode) && "Un code postal a cinq chiffres, par exemple 35400.",
      town: town.trim() === "" && "Écrivez la ville.",
    }),
    ask,
  );
  return (
    <form {...form}>
      <p>Nous vérifions chaque changement avant que les porteurs de la carte le lisent.</p>
      <TextInput label="Nom" maxLength={80} {...field("name")} />
      <TextInput label="Rue" maxLength={120} autoComplete="off" {...field("street")} />
      <TextInput
        label="Code postal"
        maxLength={5}
        inputMode="numeric"
        autoComplete="off"
        {...field("postcode")}
      />
      <TextInput label="Ville" maxLength={80} autoComplete="off" {...field("town")} />
      <ProblemBanner problem={problem} title="Rien n’a été demandé." />
      <FormActions submit="Envoyer la demande" isSending={ask.isPending} onCancel={onDone} />
    </form>
  );
}
