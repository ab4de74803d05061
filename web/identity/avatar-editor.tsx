// A person's picture and what may be done with it: added, changed, taken away. The cropping comes with the
// first file chosen.
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { ofName } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { currentUser, keepUser } from "#web/app/transport/session.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Button } from "#web/ui/button.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./avatar.module.css";
import { PersonAvatar } from "#web/app/shared/person-avatar.tsx";

const CropDialog = lazy(async () => ({ default: (await import("./crop-dialog.tsx")).CropDialog }));

export function AvatarEditor({
  cardnumber,
  name,
  avatar,
  own,
  children,
}: {
  cardnumber: number;
  name: string;
  avatar: string | null;
  /** The person's own, not a child's. */
  own: boolean;
  /** Whose it is, beside the picture. */
  children?: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const whose = own ? "" : ` ${ofName(name)}`;
  const show = async (next: string | null) => {
    const user = currentUser.get();
    if (own && user) await keepUser({ ...user, avatar: next });
  };
  const save = useAction(
    async (picture: Blob) => {
      const answer = await call(api.avatars.set, { cardnumber }, { file: picture });
      await show(answer.avatar);
    },
    { says: "Photo enregistrée.", onDone: () => setFile(null) },
  );
  const remove = useAction(
    async () => show((await call(api.avatars.remove, { cardnumber })).avatar),
    {
      says: "Photo retirée.",
      onDone: () => {
        // The button that was pressed is gone.
        button.current?.focus();
      },
      onRefused: ({ message }) => notify({ text: message, kind: "error" }),
    },
  );
  const close = () => {
    if (save.isPending) return;
    save.reset();
    setFile(null);
  };
  return (
    <div className={styles.avatarEditor}>
      <PersonAvatar name={name} avatar={avatar} size="large" />
      <div className={styles.avatarActs}>
        {children && <div className={styles.avatarWhose}>{children}</div>}
        <Button ref={button} size="small" onClick={() => input.current?.click()}>
          {avatar ? "Changer la photo" : "Ajouter une photo"}
          <span className="unseen">{whose}</span>
        </Button>
        {avatar && (
          <Button
            size="small"
            kind="ghost"
            loading={remove.isPending}
            onClick={() => remove.send()}
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
            problem={save.problem?.message ?? null}
            onSave={(picture) => save.send(picture)}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}
