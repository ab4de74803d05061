// Keys on a control, for journeys that use no mouse.
import type { Locator } from "playwright-core";
import { expect } from "vitest";

/**
 * Presses a key on a button once it answers. Unlike a click, a press does not wait for that: while a button
 * is disabled the focus stays elsewhere, and the key would do what that other place does.
 */
export async function press(button: Locator, key: "Enter" | "Space"): Promise<void> {
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.press(key);
}
