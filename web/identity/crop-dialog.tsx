// Chooses the square of a picture: dragged under the pointer, or by sliders, which the keyboard moves too.
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { avatars as limits } from "#contract/limits.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./avatar.module.css";
import { type Crop, dragged, middle, maxZoom, squareOf } from "./crop.ts";

type Picture = ImageBitmap | "reading" | "unreadable";

export function CropDialog({
  file,
  saving,
  problem,
  onSave,
  onClose,
}: {
  file: File;
  saving: boolean;
  /** Why the picture was refused. */
  problem: string | null;
  onSave: (picture: Blob) => void;
  onClose: () => void;
}) {
  const picture = usePicture(file);
  const [crop, setCrop] = useState(middle);
  const canvas = useRef<HTMLCanvasElement>(null);
  const readable = typeof picture === "object";
  useEffect(() => {
    if (typeof picture === "object" && canvas.current) draw(canvas.current, picture, crop);
  }, [picture, crop]);
  const save = () => canvas.current?.toBlob((blob) => blob && onSave(blob), "image/jpeg", 0.9);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Cadrer la photo"
      actions={
        <>
          {readable && (
            <Button kind="primary" loading={saving} onClick={save}>
              Enregistrer la photo
            </Button>
          )}
          <Button kind="ghost" disabled={saving} onClick={onClose}>
            Annuler
          </Button>
        </>
      }
    >
      <Stack>
        {problem && (
          <Banner tone="danger" alert title="La photo n’a pas été enregistrée.">
            {problem}
          </Banner>
        )}
        {picture === "unreadable" && (
          <Banner tone="danger" alert title="Cette image ne peut pas être lue.">
            Choisissez une photo JPEG, PNG ou WebP. Une photo HEIC d’iPhone s’enregistre d’abord en
            JPEG.
          </Banner>
        )}
        {picture === "reading" && (
          <Loading label="Lecture de la photo…">
            <Skeleton height="16rem" />
          </Loading>
        )}
        {typeof picture === "object" && (
          <>
            <Preview picture={picture} crop={crop} onCrop={setCrop} canvas={canvas} />
            <Slider
              label="Zoom"
              min={1}
              max={maxZoom}
              value={crop.zoom}
              onValue={(zoom) => setCrop({ ...crop, zoom })}
            />
            <Slider
              label="De gauche à droite"
              min={-1}
              max={1}
              value={crop.x}
              onValue={(x) => setCrop({ ...crop, x })}
            />
            <Slider
              label="De haut en bas"
              min={-1}
              max={1}
              value={crop.y}
              onValue={(y) => setCrop({ ...crop, y })}
            />
          </>
        )}
      </Stack>
    </Dialog>
  );
}

/** The file as the browser draws it, upright. */
function usePicture(file: File): Picture {
  const [picture, setPicture] = useState<Picture>("reading");
  useEffect(() => {
    let left = false;
    let drawn: ImageBitmap | null = null;
    const read = async () => {
      const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(
        () => null,
      );
      drawn = bitmap;
      if (left) bitmap?.close();
      else setPicture(bitmap ?? "unreadable");
    };
    void read();
    return () => {
      left = true;
      drawn?.close();
    };
  }, [file]);
  return picture;
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { side, left, top } = squareOf(picture, crop);
  const { width } = canvas;
  // A JPEG has no transparency: what is transparent becomes white.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, width);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, left, top, side, side, 0, 0, width, width);
}

function Preview({
  picture,
  crop,
  onCrop,
  canvas,
}: {
  picture: ImageBitmap;
  crop: Crop;
  onCrop: (crop: Crop) => void;
  canvas: { current: HTMLCanvasElement | null };
}) {
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { clientWidth } = event.currentTarget;
    const moved = { x: event.movementX / clientWidth, y: event.movementY / clientWidth };
    onCrop(dragged(picture, crop, moved));
  };
  return (
    <canvas
      ref={canvas}
      className={styles.cropPreview}
      width={limits.sentPixels}
      height={limits.sentPixels}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn anew while it is moved
      role="img"
      aria-label="Aperçu de la photo"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
    />
  );
}

function Slider({
  label,
  min,
  max,
  value,
  onValue,
}: {
  label: string;
  min: number;
  max: number;
  value: number;
  onValue: (value: number) => void;
}) {
  const percent = Math.round(((value - min) / (max - min)) * 100);
  return (
    <label className={styles.cropSlider}>
      <span>{label}</span>
      <input
        type="range"
        min={min}
        max={max}
        step={(max - min) / 50}
        value={value}
        aria-valuetext={`${percent}\u202f%`}
        onChange={(event) => onValue(Number(event.target.value))}
      />
    </label>
  );
}
