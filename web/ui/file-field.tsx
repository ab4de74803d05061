// A field of one file that stays in the browser until its form is sent.
import { useId } from "react";
import { FieldError, FieldLabel, type FieldText } from "./field.tsx";
import { Icon } from "./icon.tsx";
import "./upload.css";

/** `accept` is that of the input; a file dropped on the field may be of another kind. */
export function FileField({
  label,
  hint,
  error,
  accept,
  file,
  onFile,
}: Pick<FieldText, "label" | "hint" | "error"> & {
  accept: string;
  file: File | null;
  onFile: (file: File) => void;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <FieldLabel id={id} label={label} hint={hint} />
      <div className="upload-zone">
        <Icon name={file ? "document" : "plus"} size={20} />
        <span className="upload-call" aria-hidden="true">
          <span className="upload-name">{file ? file.name : "Choisir un fichier"}</span>
          <span className="upload-drop">
            {file ? "pour le changer, choisissez-en un autre" : "ou déposez-le ici"}
          </span>
        </span>
        {/* The input itself covers the zone: a click, a key and a drop are the browser's. */}
        <input
          id={id}
          type="file"
          accept={accept}
          aria-describedby={described || undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen) onFile(chosen);
            // The same file may be chosen again, once it is mended.
            event.target.value = "";
          }}
        />
      </div>
      <output className="unseen">{file && `${file.name} est choisi.`}</output>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
