// The dialog that asks for a proof, whatever act it is titled with.
import type { Locator, Page } from "playwright-core";
import { castPassword } from "./cast.ts";
import type { TestServer } from "./test-server.ts";

export const codeDialog = (page: Page): Locator =>
  page.getByRole("dialog").filter({ has: page.getByRole("textbox", { name: "Code reçu" }) });

/** Gives the password where it is asked, then types the code that was sent last. */
export async function typeProof(
  page: Page,
  { lastCode }: Pick<TestServer, "lastCode">,
): Promise<void> {
  const dialog = codeDialog(page);
  await dialog.waitFor();
  const password = dialog.getByLabel("Votre mot de passe");
  if (await password.isVisible()) await password.fill(castPassword);
  await dialog.getByRole("textbox", { name: "Code reçu" }).click();
  await page.keyboard.type(lastCode());
}
