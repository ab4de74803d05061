// Writing to the customer service: a file refused, a connection lost while sending, an answer, the end.
import { randomBytes } from "node:crypto";
import { Transformer } from "@napi-rs/image";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contactCommands } from "#server/contact/operator.ts";
import { violationsOf } from "../axe.ts";
import { loseAnswers } from "../late-answers.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { pdfFile } from "../pdf-file.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const pdf = pdfFile();
const file = (name: string, buffer: Buffer, mimeType = "application/pdf") => ({
  name,
  mimeType,
  buffer,
});
const answer = (number: string, text: string) =>
  contactCommands
    .find(({ name }) => name === "contact answer")
    ?.run(portal.server.deps, [number, text], "anne");
const messages = async () =>
  (
    await portal.server.deps.pool.query(
      "select number, text from contact_message m join contact_thread t on t.number = m.thread_number order by m.id",
    )
  ).rows;

// proves: messages
test("a message with its file, sent once whatever the network does; answered, then settled", async () => {
  // Without motion: a message that fades in has no contrast yet.
  const page = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.signIn(page, "stranger");
  await page.goto("/contact");
  await page.getByRole("link", { name: "Écrire un message" }).click();
  await page.getByRole("heading", { name: "Écrire un message", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Envoyer le message" }).click();
  await page.getByText("Choisissez un sujet.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page
    .getByLabel("Sujet", { exact: true })
    .selectOption({ label: "Cagnotte, recharge ou virement" });
  await page.getByLabel("Objet").fill("Débitée deux fois");
  await page.getByLabel("Votre message").fill("Bonjour, ma recharge a été débitée deux fois.");
  // A program is refused where it was given, and the rest stays.
  await page
    .getByLabel(/Fichiers joints/)
    .setInputFiles(file("releve.pdf", Buffer.from("MZ not a pdf")));
  await page.getByText("Ce fichier n'est ni une photo").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Retirer releve.pdf" }).click();
  await page.getByLabel(/Fichiers joints/).setInputFiles(file("Relevé d’octobre.pdf", pdf));
  await page.getByText("Relevé d’octobre.pdf", { exact: true }).waitFor();
  // What is typed outlives the page.
  await expect
    .poll(
      async () =>
        (await portal.server.deps.pool.query("select text, document_ids from contact_draft"))
          .rows[0]?.document_ids.length,
    )
    .toBe(1);
  await page.reload();
  await page.getByText("Relevé d’octobre.pdf", { exact: true }).waitFor();
  await expect.poll(() => page.getByLabel("Objet").inputValue()).toBe("Débitée deux fois");
  // The server keeps the message and its answer is lost: sending again is the same message.
  const restore = loseAnswers(portal, /^\/api\/contact$/);
  await page.getByRole("button", { name: "Envoyer le message" }).click();
  await page.getByText("Nous ne savons pas encore si votre message est parti.").waitFor();
  await expect.poll(messages).toHaveLength(1);
  restore();
  await page.getByRole("button", { name: "Envoyer le message" }).click();
  await page.getByRole("heading", { name: "Débitée deux fois", level: 1 }).waitFor();
  await expect.poll(messages).toHaveLength(1);
  expect(await violationsOf(page)).toEqual([]);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /Relevé d’octobre.pdf/ }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/\.pdf$/);
  // The answer appears by itself.
  const number = String((await messages())[0]?.number);
  const answered = await answer(number, "C’est remboursé.");
  expect(answered?.ok).toBe(true);
  await page.getByText("C’est remboursé.").waitFor();
  await page.getByText("Réponse reçue").waitFor();
  await page.getByRole("button", { name: "Ma demande est réglée" }).click();
  await page.getByText("Cette demande est terminée.").waitFor();
  await page.getByLabel("Votre message").fill("Merci !");
  await page.getByRole("button", { name: "Envoyer", exact: true }).dblclick();
  await page.getByText("En attente").waitFor();
  await page
    .getByText(/Vous recevrez une réponse sous 2 jours ouvrés/)
    .first()
    .waitFor();
  // Late, and still late once one writes again.
  await portal.server.deps.pool.query(
    "update contact_message set at = at - interval '20 days' where text = 'Merci !'",
  );
  await page.reload();
  await page.getByText("Notre réponse est en retard").waitFor();
  await page.getByLabel("Votre message").fill("Toujours là ?");
  await page.getByRole("button", { name: "Envoyer", exact: true }).click();
  await page.getByText("Votre message est envoyé.").waitFor();
  await page.getByText("Notre réponse est en retard").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await portal.server.deps.pool.query("delete from contact_message where text = 'Toujours là ?'");
  await page.reload();
  await expect.poll(async () => (await messages()).map(({ text }) => text).at(-1)).toBe("Merci !");
  await expect.poll(messages).toHaveLength(3);
  await page.getByRole("link", { name: "Contact" }).first().click();
  await page.getByRole("link", { name: /Débitée deux fois/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // The keyboard follows to the thread, however late it comes.
  await page.getByRole("link", { name: /Débitée deux fois/ }).press("Enter");
  await page.getByText("C’est remboursé.").waitFor();
  await page.locator("h1:focus", { hasText: "Débitée deux fois" }).waitFor();
  await page.goto("/contact?fil=6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b");
  await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
  await page.context().close();
});

// proves: messages
test("a photograph heavier than the limit is reduced by the browser, and a draft waits elsewhere", async () => {
  const page = await portal.open();
  await portal.signIn(page, "coGuardian");
  await page.goto("/contact?ecrire=1");
  const side = 3000;
  const photo = await Transformer.fromRgbaPixels(randomBytes(side * side * 4), side, side).jpeg(90);
  expect(photo.length).toBeGreaterThan(5 * 1024 * 1024);
  await page
    .getByLabel(/Fichiers joints/)
    .setInputFiles(file("Photo du guichet.jpg", photo, "image/jpeg"));
  await page.getByRole("button", { name: "Retirer Photo du guichet.jpg" }).waitFor();
  await page.getByText("est ajouté.").waitFor({ state: "attached" });
  await page.getByLabel("Votre message").fill("Le guichet est fermé.");
  const readDrafts = () => portal.server.deps.pool.query("select text from contact_draft");
  await expect
    .poll(async () => (await readDrafts()).rows)
    .toEqual([{ text: "Le guichet est fermé." }]);
  const { rows } = await portal.server.deps.pool.query(
    "select name, bytes < 5242880 as light from document where attached_kind is null",
  );
  expect(rows).toEqual([{ name: "Photo du guichet.jpg", light: true }]);
  // Another device, another session: it goes on where it was left.
  const other = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(other, "coGuardian");
  await other.goto("/contact?ecrire=1");
  await other.getByText("Photo du guichet.jpg", { exact: true }).waitFor();
  await expect
    .poll(() => other.getByLabel("Votre message").inputValue())
    .toBe("Le guichet est fermé.");
  await Promise.all([page.context().close(), other.context().close()]);
});
