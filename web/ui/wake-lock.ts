import { useEffect } from "react";

/**
 * Keeps the screen lit while the component is there and its page is in view (https://www.w3.org/TR/screen-wake-lock/).
 * A browser that cannot, or refuses because the battery is low, lets it go dark as usual.
 */
export function useWakeLock(): void {
  useEffect(() => {
    if (!("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const request = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        const sentinel = await navigator.wakeLock.request("screen");
        if (isOver) await sentinel.release();
        else lock = sentinel;
      } catch {
        // Refused: nothing else depends on it.
      }
    };
    // The browser gives it up with the page's view.
    const onView = () => void request();
    onView();
    document.addEventListener("visibilitychange", onView);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", onView);
      void lock?.release();
    };
  }, []);
}
