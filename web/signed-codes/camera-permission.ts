// Whether the camera may be opened without asking: a browser asks in answer to a press alone.
import { useEffect, useState } from "react";

/** Whether there may be a camera to ask for: only where the connection is safe. */
export const hasCamera = (): boolean => "mediaDevices" in navigator;

/** `unknown` until the browser has said it; `prompt` also where it does not say. */
type CameraPermission = "unknown" | "granted" | "prompt" | "none";

/** What the browser says of the camera, and follows when the person changes it there. */
export function useCameraPermission(): CameraPermission {
  const [permission, setPermission] = useState<CameraPermission>(hasCamera() ? "unknown" : "none");
  useEffect(() => {
    if (!hasCamera()) return undefined;
    const ends = new AbortController();
    void follow(setPermission, ends.signal);
    return () => ends.abort();
  }, []);
  return permission;
}

async function follow(set: (permission: CameraPermission) => void, signal: AbortSignal) {
  try {
    const status = await navigator.permissions.query({ name: "camera" });
    const tell = () => set(status.state === "denied" ? "none" : status.state);
    if (signal.aborted) return;
    tell();
    status.addEventListener("change", tell, { signal });
  } catch {
    if (!signal.aborted) set("prompt");
  }
}
