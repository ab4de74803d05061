// Reads QR codes from a camera where the browser has no reader of its own.
import { decodeQR } from "qr/decode.js";

/** Codes fill a good part of what the camera sees: more pixels only cost time. */
const maxSide = 640;

export interface CodeReader {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/** A reader like `BarcodeDetector`, of QR codes alone. */
export function openCodeReader(): CodeReader {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const detect = (video: HTMLVideoElement): { rawValue: string }[] => {
    const { videoWidth, videoHeight } = video;
    if (!context || videoWidth === 0) return [];
    const scale = Math.min(1, maxSide / Math.max(videoWidth, videoHeight));
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    try {
      const image = context.getImageData(0, 0, canvas.width, canvas.height);
      return [{ rawValue: decodeQR(image) }];
    } catch {
      // No code is seen.
      return [];
    }
  };
  return { detect: async (video) => detect(video) };
}
