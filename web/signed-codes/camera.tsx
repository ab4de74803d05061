// The camera that reads QR codes: by the browser's own reader, else by one that comes when it is asked for.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Banner } from "#web/ui/banner.tsx";
import styles from "./camera.module.css";
import type { CodeReader } from "./code-reader.ts";

const format = "qr_code";
interface DetectorMaker {
  new (options: { formats: string[] }): CodeReader;
  getSupportedFormats(): Promise<string[]>;
}

async function openReader(): Promise<CodeReader> {
  const Maker = (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector;
  if (Maker && (await Maker.getSupportedFormats()).includes(format)) {
    return new Maker({ formats: [format] });
  }
  return (await import("./code-reader.ts")).openCodeReader();
}

const lookEveryMs = 150;
/** The same code held before the camera is read once. */
const sameAgainMs = 4000;

/** `instead` says how to go on without a camera, unless the screen does itself, told by `onRefused`. */
export function Camera({
  onCode,
  instead,
  onRefused,
}: {
  onCode: (code: string) => void;
  instead: string;
  onRefused?: () => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const handleCode = useEffectEvent(onCode);
  const [refused, setRefused] = useState(false);
  const handleRefusal = useEffectEvent(() => {
    setRefused(true);
    onRefused?.();
  });
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const ends = new AbortController();
    watch(element, ends.signal, handleCode).catch(() => {
      if (!ends.signal.aborted) handleRefusal();
    });
    return () => ends.abort();
  }, []);
  if (refused) {
    return (
      <Banner tone="warning" title="L’appareil photo n’est pas accessible.">
        Autorisez-le dans le navigateur, {instead}.
      </Banner>
    );
  }
  return (
    <div className={styles.camera}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what the camera sees has no words */}
      <video ref={video} muted playsInline aria-label="Image de l’appareil photo" />
    </div>
  );
}

async function watch(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onCode: (code: string) => void,
): Promise<void> {
  const reader = await openReader();
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment" },
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) return stop();
  signal.addEventListener("abort", stop);
  video.srcObject = stream;
  await video.play();
  let last = { code: "", at: 0 };
  while (!signal.aborted) {
    const [found] = await reader.detect(video);
    const now = Date.now();
    if (found && (found.rawValue !== last.code || now - last.at > sameAgainMs)) {
      onCode(found.rawValue);
    }
    if (found) last = { code: found.rawValue, at: now };
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
