// Sending a file: reduced by the browser when it is a photograph, then as the body of its row, with
// its progress. Nothing is tried again by itself but what the server asks to (spec §7).
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import type { Document } from "#contract/documents/rows.ts";
import { documents as limits, spec } from "#contract/limits.ts";
import { texts } from "#contract/texts.ts";
import { ApiProblem, bearerOf, call, isAnswer, handleProblem, problemOf } from "./api.ts";

interface Sending {
  /** How much has left, 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** What a photograph may weigh before it is reduced: the reduced one loses nothing one reads. */
const photoBytes = 1_500_000;

/**
 * Uploads a file for later attachment. Throws ApiProblem with a French sentence, or the signal's
 * AbortError.
 */
export async function uploadFile(file: File, sending: Sending): Promise<Document> {
  const body = await reduced(file);
  if (body.size > limits.bytes) {
    throw new ApiProblem(
      "document_too_large",
      "Ce fichier est trop lourd : 5 Mo au plus. Choisissez-en un plus léger.",
      { status: 413 },
    );
  }
  try {
    for (let attempt = 1; ; attempt++) {
      const response = await attemptOnce(body, file.name, sending);
      if (isAnswer(api.documents.upload, response)) return (await response.json()) as Document;
      const again = response.status === spec.retryStatus && attempt <= spec.retryCount;
      if (!again) throw await problemOf(response);
      await new Promise((resolve) => setTimeout(resolve, spec.retryDelayMs * attempt));
    }
  } catch (error) {
    sending.signal.throwIfAborted();
    if (!(error instanceof ApiProblem)) {
      throw new ApiProblem("no_answer", texts.requestFailed, { cause: error });
    }
    await handleProblem(api.documents.upload, error);
    throw error;
  }
}

/** Forgets a file that was taken out of its form; if that fails, the server does it within a day. */
export function discardFile({ id }: { id: string }): void {
  void call(api.documents.discard, { id }, { quiet: true }).catch(() => undefined);
}

/** Files that were added to a form and not sent are forgotten with it; the server keeps what was attached. */
export function useDiscardOnUnmount(files: readonly { id: string }[]): void {
  const latest = useRef(files);
  useEffect(() => {
    latest.current = files;
  });
  useEffect(() => () => latest.current.forEach(discardFile), []);
}

// fetch reports no upload progress.
function attemptOnce(body: Blob, name: string, { onProgress, signal }: Sending): Promise<Response> {
  const { method, path } = api.documents.upload;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, `${path}?name=${encodeURIComponent(name.slice(-200))}`);
    bearerOf(api.documents.upload).forEach((value, header) =>
      request.setRequestHeader(header, value),
    );
    const known = ["image/jpeg", "image/png", "application/pdf"].includes(body.type);
    request.setRequestHeader("content-type", known ? body.type : "application/octet-stream");
    request.timeout = spec.requestTimeoutMs;
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("load", () => {
      const wait = request.getResponseHeader("retry-after");
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: wait === null ? {} : { "retry-after": wait },
        }),
      );
    });
    for (const end of ["error", "timeout", "abort"]) {
      request.addEventListener(end, () => reject(new Error(end)));
    }
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

/** A heavy photograph, smaller; any other file, and one that the browser cannot draw, as it is. */
async function reduced(file: File): Promise<Blob> {
  const heavy = file.type === "image/png" ? limits.bytes : photoBytes;
  if (!file.type.startsWith("image/") || file.size <= heavy) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, limits.sidePixels / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const smaller = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, "image/jpeg", limits.jpegQuality / 100),
    );
    return smaller && smaller.size < file.size ? smaller : file;
  } catch {
    return file;
  }
}
