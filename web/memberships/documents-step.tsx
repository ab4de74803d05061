// The step of the documents: each is kept as soon as it is there, so that any device finds it.
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { MembershipDocumentKind } from "#contract/memberships/states.ts";
import { membershipDocumentHints, membershipDocumentNames } from "#contract/memberships/words.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { discardFile, uploadFile } from "#web/app/transport/upload.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { Stack } from "#web/ui/stack.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";
import type { PartProps } from "./company-step.tsx";
import { refusalOf, useStep } from "./use-membership.ts";

export function DocumentsStep({ page, onDone, submit = "Continuer" }: PartProps) {
  const [presses, setPresses] = useState(0);
  const place = useFirstError<HTMLDivElement>(presses);
  const [busy, setBusy] = useState<readonly MembershipDocumentKind[]>([]);
  const kinds = page.service.documents;
  const documents = page.membership?.documents ?? [];
  const lacking = kinds.some((kind) => !documents.some((one) => one.kind === kind));
  const next = () => {
    if (!lacking) return onDone();
    setPresses(presses + 1);
  };
  const tellBusy = (kind: MembershipDocumentKind) => (now: boolean) =>
    setBusy((before) => [...before.filter((one) => one !== kind), ...(now ? [kind] : [])]);
  return (
    <Stack ref={place} gap={20}>
      <StepHeading>Les documents à joindre</StepHeading>
      <Text tone="soft" size="fine">
        Ils servent à étudier votre demande, ne sont montrés à personne d’autre, et sont effacés 60
        jours après la décision.
      </Text>
      {kinds.map((kind) => (
        <DocumentField
          key={kind}
          page={page}
          kind={kind}
          missing={presses > 0}
          onBusy={tellBusy(kind)}
        />
      ))}
      <Actions align="end" wide>
        <Button kind="primary" iconEnd="forward" loading={busy.length > 0} onClick={next}>
          {submit}
        </Button>
      </Actions>
    </Stack>
  );
}

function DocumentField({
  page,
  kind,
  missing,
  onBusy,
}: {
  page: MembershipPage;
  kind: MembershipDocumentKind;
  /** It was asked to go on without it. */
  missing: boolean;
  onBusy: (busy: boolean) => void;
}) {
  const service = page.service.code;
  const saved = page.membership?.documents.find((one) => one.kind === kind)?.document;
  const [files, setFiles] = useState<readonly UploadedFile[]>(saved ? [saved] : []);
  const give = useStep(api.memberships.addDocument);
  const take = useStep(api.memberships.removeDocument);
  const change = (next: readonly UploadedFile[]) => {
    setFiles(next);
    const added = next.find((one) => !files.some((before) => before.id === one.id));
    if (!added) return;
    give.mutate(
      { service, kind, document: added.id },
      {
        onError: () => {
          setFiles(files);
          discardFile(added);
        },
      },
    );
  };
  const [sending, setSending] = useState(false);
  const waits = sending || give.isPending || take.isPending;
  const onBusyRef = useRef(onBusy);
  useEffect(() => {
    onBusyRef.current = onBusy;
  });
  useEffect(() => onBusyRef.current(waits), [waits]);
  const problem = refusalOf(give.error ?? take.error);
  return (
    <Upload
      label={membershipDocumentNames[kind]}
      hint={`${membershipDocumentHints[kind]} Photo ou PDF, 5\u202fMo au plus.`}
      error={problem?.message ?? (missing && files.length === 0 && "Ajoutez ce document.")}
      files={files}
      max={1}
      onFiles={(next) => change(next(files))}
      onBusy={setSending}
      onRemove={() => take.mutate({ service, kind })}
      send={uploadFile}
    />
  );
}
