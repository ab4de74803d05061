// A notification at the bottom: what ends the page can be brought above it, whatever its length.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => void (portal = await openTestPortal()));
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test.each([360, 1280])(
  "at %s px the end of the page stands above a notification of three lines, and two of them",
  async (width) => {
    const page = await portal.open({ viewport: { width, height: 740 } });
    await portal.signIn(page, "guardian");
    await page.goto(`${portal.url}/profil/notifications`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const sentence =
      "Vous êtes sur la liste d’attente. Nous vous prévenons dès qu’une place se libère.";
    for (const count of [1, 2]) {
      const gap = () =>
        page.evaluate(
          ({ text, many }) => {
            const region = document.querySelector('.toasts[data-position="bottom"]');
            region?.replaceChildren();
            for (let index = 0; index < many; index++) {
              const item = document.createElement("li");
              item.className = "toast";
              const words = document.createElement("p");
              words.className = "toast-text";
              words.textContent = text;
              const close = document.createElement("button");
              close.className = "icon-button";
              item.append(words, close);
              region?.append(item);
            }
            scrollTo(0, document.documentElement.scrollHeight);
            const last = [...document.querySelectorAll("footer a")].at(-1);
            const toasts = region?.getBoundingClientRect().top ?? 0;
            return toasts - (last?.getBoundingClientRect().bottom ?? Infinity);
          },
          { text: sentence, many: count },
        );
      await expect.poll(gap).toBeGreaterThan(0);
      if (process.env["SHOTS"])
        await page.screenshot({ path: `${process.env["SHOTS"]}/toast-${count}.png` });
    }
  },
);
