// Whether the person is idle: what moves the screen waits for whoever presses or types.
import { useCallback, useEffect, useRef } from "react";

const restMs = 3000;

/** Returns a function that tells whether nothing was pressed for a moment and no field has the focus. */
export function useIsIdle(): () => boolean {
  const pressedAt = useRef(0);
  useEffect(() => {
    const press = () => {
      pressedAt.current = Date.now();
    };
    addEventListener("pointerdown", press);
    addEventListener("keydown", press);
    return () => {
      removeEventListener("pointerdown", press);
      removeEventListener("keydown", press);
    };
  }, []);
  return useCallback(
    () =>
      Date.now() - pressedAt.current > restMs &&
      !document.activeElement?.matches("input, select, textarea"),
    [],
  );
}
