// A person's picture and what may be done with it: added, changed, taken away. The cropping comes with the
// first file chosen.
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { ofName } from "#contract/french.ts";
import { Button } from "#web/ui/button.tsx";
import { notify } from "#web/ui/toast.tsx";
import { type ApiProblem, call } from "./api.ts";
import styles from "./avatar.module.css";
import { PersonAvatar } from "./person-avatar.tsx";
import { currentUser, keepUser } from "./session.ts";

const CropDialog = lazy(async () => ({ default: (await import("./crop-dialog.tsx")).CropDialog }));

export function AvatarEditor({
  cardnumber,
  name,
  avatar,
  own,
}: {
  cardnumber: number;
  name: string;
  avatar: string | null;
  /** The person's own, not a child's. */
  own: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const whose = own ? "" : ` ${ofName(name)}`;
  const show = async (next: string | null) => {
    const user = currentUser.get();
    if (own && user) await keepUser({ ...user, avatar: next });
  };
  const save = useMutation<unknown, ApiProblem, Blob>({
    mutationFn: async (picture) => {
      const answer = await call(api.avatars.set, { cardnumber }, { file: picture });
      await show(answer.avatar);
    },
    onSuccess: () => {
      setFile(null);
      notify({ text: "Photo enregistrée.", kind: "success" });
    },
  });
  const remove = useMutation<unknown, ApiProblem>({
    mutationFn: async () => show((await call(api.avatars.remove, { cardnumber })).avatar),
    onSuccess: () => {
      // The button that was pressed is gone.
      button.current?.focus();
      notify({ text: "Photo retirée.", kind: "success" });
    },
    onError: ({ message }) => notify({ text: message, kind: "error" }),
  });
  const close = () => {
    if (save.isPending) return;
    save.reset();
    setFile(null);
  };
  return (
    <div className={styles.avatarEditor}>
      <PersonAvatar name={name} avatar={avatar} size="large" />
      <div className={styles.avatarActs}>
        <Button ref={button} size="small" onClick={() => input.current?.click()}>
          {avatar ? "Changer la photo" : "Ajouter une photo"}
          <span className="unseen">{whose}</span>
        </Button>
        {avatar && (
          <Button
            size="small"
            kind="ghost"
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Retirer<span className="unseen"> la photo{whose}</span>
          </Button>
        )}
        <p className={styles.avatarWho}>
          {own
            ? "Vous et votre famille la voyez, personne d’autre."
            : "Sa famille la voit, personne d’autre."}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp"
        aria-label={`Photo${whose}`}
        onChange={(event) => {
          setFile(event.target.files?.[0] ?? null);
          // The same file may be chosen again.
          event.target.value = "";
        }}
      />
      {file && (
        <Suspense>
          <CropDialog
            file={file}
            saving={save.isPending}
            problem={save.error?.message ?? null}
            onSave={(picture) => save.mutate(picture)}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}
