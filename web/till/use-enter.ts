import { useEffect, useEffectEvent } from "react";
import { isPressed, isTyped } from "#web/ui/own-keys.ts";

/** Enter acts once what it answers is drawn, wherever nothing on the screen takes the key itself. */
export function useEnter(act: () => void, isEnabled: boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, repeat, defaultPrevented } = event;
    if (key !== "Enter" || repeat || defaultPrevented) return;
    if (isTyped(target) || isPressed(target)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isEnabled]);
}
