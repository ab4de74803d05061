// Files joined to a form: picked, dropped or photographed, sent at once, shown with their progress.
import { useEffect, useId, useRef, useState } from "react";
import { formatBytes, thin } from "#contract/french.ts";
import { Button, IconButton } from "./button.tsx";
import { FieldError, type FieldText } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { Text } from "./text.tsx";
import "./upload.css";

/** A file that has been sent. */
export interface UploadedFile {
  id: string;
  name: string;
  kind: "image" | "pdf";
  bytes: number;
}

/** Sends a file, telling how much of it has left (0 to 1); an Error's message is shown as it is. */
export type SendFile = (
  file: File,
  options: { onProgress: (part: number) => void; signal: AbortSignal },
) => Promise<UploadedFile>;

/** A file on its way, or one that was refused. */
interface Underway {
  key: number;
  file: File;
  part: number;
  error: string | null;
  /** The file itself was refused: sent again, it would be refused again. */
  isFinal: boolean;
  abort: AbortController;
}

const isSending = ({ error }: Underway): boolean => error === null;

const atMost = (max: number) => (max === 1 ? "Un seul fichier" : `${max} fichiers au plus`);

/**
 * A field of files. `files` are those sent; `onBusy` says whether some are still on their way, so that
 * the form waits for them. A file taken out is given to `onRemove`.
 */
export function Upload({
  label,
  hint = `Photo ou PDF, 5${thin}Mo au plus par fichier.`,
  error,
  optional,
  files,
  onFiles,
  onBusy,
  onRemove,
  send,
  max = 5,
}: FieldText & {
  files: readonly UploadedFile[];
  onFiles: (change: (files: readonly UploadedFile[]) => readonly UploadedFile[]) => void;
  onBusy?: (busy: boolean) => void;
  onRemove?: (file: UploadedFile) => void;
  send: SendFile;
  max?: number;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { underway, said, add, again, forget, tell } = useSending({ files, onFiles, send, max });
  const busy = underway.some(isSending);
  const onBusyRef = useRef(onBusy);
  useEffect(() => {
    onBusyRef.current = onBusy;
  });
  useEffect(() => onBusyRef.current?.(busy), [busy]);
  // A full field takes no focus until it has room again.
  const focus = () => void requestAnimationFrame(() => input.current?.focus());
  const take = (file: UploadedFile) => {
    onFiles((now) => now.filter((one) => one.id !== file.id));
    onRemove?.(file);
    tell(`${file.name} est retiré.`);
    focus();
  };
  const full = files.length + underway.filter(isSending).length >= max;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {optional && <span className="field-optional"> (facultatif)</span>}
      </label>
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div className="upload-zone" data-full={full || undefined}>
        <Icon name="plus" size={20} />
        <span className="upload-call" aria-hidden="true">
          <span>{full ? atMost(max) : "Ajouter une photo ou un PDF"}</span>
          <span className="upload-drop">ou déposez-le ici</span>
        </span>
        {/* The input itself covers the zone: a click, a key, a drop and a camera are the browser's. */}
        <input
          ref={input}
          id={id}
          type="file"
          multiple
          accept="image/jpeg,image/png,application/pdf"
          disabled={full}
          aria-describedby={described || undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            add([...(event.target.files ?? [])]);
            // The same file may be chosen again.
            event.target.value = "";
          }}
        />
      </div>
      <FieldError id={`${id}-error`} error={error} />
      <output className="unseen">{said}</output>
      {files.length + underway.length > 0 && (
        <ul className="upload-files" aria-label={`${label}${thin}: fichiers ajoutés`}>
          {files.map((file) => (
            <li key={file.id} className="upload-file">
              <FileWords name={file.name} about={formatBytes(file.bytes)} />
              <IconButton icon="close" label={`Retirer ${file.name}`} onClick={() => take(file)} />
            </li>
          ))}
          {underway.map((one) => (
            <Sending
              key={one.key}
              one={one}
              onAgain={(failed) => {
                again(failed);
                focus();
              }}
              onForget={(gone) => {
                forget(gone);
                focus();
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function FileWords({ name, about }: { name: string; about: string }) {
  return (
    <>
      <Icon name="document" size={20} />
      <span className="upload-words">
        <span className="upload-name">{name}</span>
        <Text as="span" tone="soft" size="small">
          {about}
        </Text>
      </span>
    </>
  );
}

function Sending({
  one,
  onAgain,
  onForget,
}: {
  one: Underway;
  onAgain: (one: Underway) => void;
  onForget: (one: Underway) => void;
}) {
  const { file, part, error, isFinal } = one;
  const percent = Math.round(part * 100);
  return (
    <li className="upload-file" data-refused={error !== null || undefined}>
      <FileWords name={file.name} about={error === null ? "Envoi en cours…" : "Non ajouté"} />
      {error !== null && !isFinal && (
        <Button size="small" kind="ghost" icon="refresh" onClick={() => onAgain(one)}>
          Réessayer<span className="unseen"> d’ajouter {file.name}</span>
        </Button>
      )}
      <IconButton icon="close" label={`Retirer ${file.name}`} onClick={() => onForget(one)} />
      {error === null ? (
        <progress aria-label={`Envoi de ${file.name}`} max={100} value={percent} />
      ) : (
        <p className="field-error" role="alert">
          <Icon name="danger" size={20} />
          <span>{error}</span>
        </p>
      )}
    </li>
  );
}

/** Files on their way; each leaves the list when it is there, or stays with why it is not. */
function useSending({
  files,
  onFiles,
  send,
  max,
}: Pick<Parameters<typeof Upload>[0], "files" | "onFiles" | "send"> & { max: number }) {
  const [underway, setUnderway] = useState<readonly Underway[]>([]);
  const [said, tell] = useState("");
  const next = useRef(0);
  const aborts = useRef(new Set<AbortController>());
  useEffect(() => {
    const running = aborts.current;
    return () => {
      for (const abort of running) abort.abort();
    };
  }, []);
  const change = (key: number, changes: Partial<Underway>) =>
    setUnderway((now) => now.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const drop = (key: number) => setUnderway((now) => now.filter((one) => one.key !== key));
  const begin = async ({ key, file, abort }: Underway) => {
    aborts.current.add(abort);
    try {
      const sent = await send(file, {
        onProgress: (part) => change(key, { part }),
        signal: abort.signal,
      });
      drop(key);
      // The same file chosen twice is one file.
      onFiles((now) => (now.some(({ id }) => id === sent.id) ? now : [...now, sent]));
      tell(`${sent.name} est ajouté.`);
    } catch (error) {
      if (abort.signal.aborted) return;
      const { message, definite = false } = error as Error & { definite?: boolean };
      change(key, { error: message, isFinal: definite });
    } finally {
      aborts.current.delete(abort);
    }
  };
  const start = (file: File) => {
    const key = next.current++;
    const abort = new AbortController();
    const one: Underway = { key, file, part: 0, error: null, isFinal: false, abort };
    setUnderway((now) => [...now, one]);
    void begin(one);
  };
  return {
    underway,
    said,
    tell,
    add: (chosen: readonly File[]) => {
      const room = Math.max(0, max - files.length - underway.filter(isSending).length);
      // A refused file leaves its place to the one that is chosen instead.
      const spare = room - Math.min(room, chosen.length);
      const refused = underway.filter((one) => !isSending(one));
      for (const { key } of refused.slice(0, Math.max(0, refused.length - spare))) drop(key);
      for (const file of chosen.slice(0, room)) start(file);
      if (chosen.length > room) tell(`${atMost(max)}${thin}: les autres sont laissés.`);
    },
    again: (one: Underway) => {
      drop(one.key);
      start(one.file);
    },
    forget: (one: Underway) => {
      one.abort.abort();
      drop(one.key);
    },
  };
}
