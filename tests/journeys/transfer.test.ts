// Sending money to a family card: the whole way in a browser, and what it does on the other side.
import { randomUUID } from "node:crypto";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, castPassword, type CastName, openingCents } from "../cast.ts";
import { violationsOf } from "../axe.ts";
import { codeDialog } from "../code-dialog.ts";
import { holdAnswers } from "../late-answers.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const opening = (name: CastName) => openingCents[name] ?? 0;

async function balanceOf(name: CastName): Promise<number> {
  const person = await portal.server.as(name);
  const { body } = await person.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`);
  return body.items[0].balanceCents;
}

const transfers = () =>
  portal.server.deps.db
    .selectFrom("walletTransfer")
    .select(["amountCents", "toCardnumber"])
    .orderBy("at")
    .execute();

async function review(page: Page, to: RegExp, amount: string): Promise<void> {
  await page.getByRole("radio", { name: to }).check();
  await page.getByLabel("Montant", { exact: true }).fill(amount);
  await page.getByRole("button", { name: "Vérifier le virement" }).click();
}

// proves: keyboard
test("a transfer by keyboard alone arrives, and the other screen shows it without a reload", async () => {
  const child = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(child, "child");
  await child.getByText("35,50", { exact: false }).first().waitFor();

  const page = await portal.open();
  await portal.login(page, "guardian");
  const before = await balanceOf("guardian");
  const childBefore = await balanceOf("child");
  await page.getByRole("link", { name: "Envoyer", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Envoyer à une carte de la famille" }).waitFor();
  await page
    .getByText(
      /À partir de 50,00\s€ en 24 heures, achats, réservations et cartes de vos enfants compris/,
    )
    .waitFor();
  await page.getByRole("radio", { name: /Léo Moreau/ }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("12,50");
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { name: "Vérifiez avant d’envoyer" });
  await heading.waitFor();
  await expect
    .poll(() => heading.evaluate((element) => element === element.ownerDocument.activeElement))
    .toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /12,50.€ envoyés à Léo Moreau/ }).waitFor();

  await expect.poll(() => balanceOf("guardian")).toBe(before - 1250);
  await expect.poll(() => balanceOf("child")).toBe(childBefore + 1250);
  await child.getByRole("button", { name: "Notifications" }).click();
  await child.getByRole("dialog", { name: "Notifications" }).getByText("Virement reçu").waitFor();
  await child.keyboard.press("Escape");
  await child.getByText("48,00", { exact: false }).first().waitFor();
  await child.context().close();

  await page.getByRole("link", { name: "Revenir à ma carte" }).click();
  await page.getByRole("cell", { name: /À Léo Moreau/ }).waitFor();
  await page.context().close();
});

test("the same transfer within a minute is asked about: refused it moves nothing, confirmed it does", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/cagnottes/virement?vers=${cast.child.cardnumber}`);
  const before = await balanceOf("guardian");
  const made = (await transfers()).length;
  await review(page, /Léo/, "12,50");
  await page.getByRole("button", { name: /Envoyer 12,50.€ à Léo/ }).click();
  const question = page.getByRole("alertdialog", { name: /Envoyer une seconde fois/ });
  await question.getByRole("button", { name: "Ne pas renvoyer" }).click();
  await question.waitFor({ state: "hidden" });
  await expect.poll(() => balanceOf("guardian")).toBe(before);

  await page.getByRole("button", { name: /Envoyer 12,50.€ à Léo/ }).click();
  await question.getByRole("button", { name: /Envoyer encore/ }).click();
  await page.getByRole("heading", { name: /envoyés à Léo/ }).waitFor();
  await expect.poll(() => balanceOf("guardian")).toBe(before - 1250);
  await expect.poll(async () => (await transfers()).length).toBe(made + 1);
  await page.context().close();
});

test("from the threshold on a code is asked: a wrong one is told, the right one sends", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto("/cagnottes/virement");
  const before = await balanceOf("guardian");
  await review(page, /Jade/, "50");
  await page.getByRole("button", { name: /Envoyer 50,00.€ à Jade/ }).click();
  const dialog = codeDialog(page);
  await dialog.getByLabel("Votre mot de passe").fill(castPassword);
  await dialog.getByRole("textbox", { name: "Code reçu" }).click();
  const code = portal.server.lastCode();
  expect(code).toMatch(/^\d{6}$/);
  await page.keyboard.type(code === "000000" ? "111111" : "000000");
  await dialog.getByText(/Ce code n'est pas le bon/).waitFor();
  await expect.poll(() => balanceOf("guardian")).toBe(before);
  await dialog.getByRole("textbox", { name: "Code reçu" }).focus();
  for (let digit = 0; digit < 6; digit++) {
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
  }
  await dialog.getByRole("textbox", { name: "Code reçu" }).focus();
  await page.keyboard.type(code);
  await page.getByRole("heading", { name: /50,00.€ envoyés à Jade/ }).waitFor();
  await expect.poll(() => balanceOf("guardian")).toBe(before - 5000);
  await page.context().close();
  // What left today counts: from here on each transfer would ask for a code.
  portal.server.deps.config.codeFromCents = 1_000_000;
});

test("too much is refused beside the field and again by the server, and nothing leaves", async () => {
  const page = await portal.open({ viewport: { width: 320, height: 700 } });
  await portal.signIn(page, "coGuardian");
  await page.goto("/cagnottes/virement");
  await page.getByRole("button", { name: "Vérifier le virement" }).click();
  await page.getByText("Choisissez la carte qui reçoit l’argent.").waitFor();
  await review(page, /Léo/, "40,01");
  await page.getByText(/Le solde ne suffit pas.*40,00.€/).waitFor();
  await expect
    .poll(() => page.getByLabel("Montant", { exact: true }).getAttribute("aria-invalid"))
    .toBe("true");
  // Reviewed with enough, spent elsewhere before it is sent.
  await page.getByLabel("Montant", { exact: true }).fill("30");
  await page.getByRole("button", { name: "Vérifier le virement" }).click();
  await page.getByRole("heading", { name: "Vérifiez avant d’envoyer" }).waitFor();
  await spendElsewhere();
  const before = await balanceOf("child");
  // By keyboard: the notice of the other login may lie over the button for a moment.
  await press(page.getByRole("button", { name: /Envoyer 30,00.€ à Léo/ }), "Enter");
  await page
    .getByRole("alert")
    .getByText(/Le virement n’est pas parti/)
    .waitFor();
  await page.getByRole("alert").getByRole("link", { name: "Recharger" }).waitFor();
  await expect.poll(() => balanceOf("child")).toBe(before);
  await expect.poll(() => balanceOf("coGuardian")).toBe(opening("coGuardian") - 2000);
  await expectNoHorizontalScroll(page);
  await page.context().close();
});

async function spendElsewhere(): Promise<void> {
  const person = await portal.server.as("coGuardian");
  const { body } = await person.get(`/api/wallets?cardnumber=${cast.coGuardian.cardnumber}`);
  const answer = await person.post(
    "/api/transfers",
    {
      fromWallet: body.items[0].objectID,
      toCardnumber: cast.child.cardnumber,
      amountCents: 2000,
    },
    { "idempotency-key": randomUUID() },
  );
  expect(answer.status).toBe(201);
}

test("a double click sends once", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto("/cagnottes/virement");
  const made = (await transfers()).length;
  await review(page, /Thomas/, "3");
  let requestCount = 0;
  page.on(
    "request",
    (request) => (requestCount += Number(request.url().endsWith("/api/transfers"))),
  );
  await page.getByRole("button", { name: /Envoyer 3,00.€ à Thomas/ }).dblclick();
  await page.getByRole("heading", { name: /3,00.€ envoyés à Thomas/ }).waitFor();
  await expect.poll(async () => (await transfers()).length).toBe(made + 1);
  await expect.poll(() => requestCount).toBe(1);
  await page.context().close();
});

// proves: cut-at-commit
test("an answer that is lost leaves no doubt: trying again sends nothing twice", async () => {
  const line = await cuttableLine();
  const page = await portal.open({ baseURL: line.url });
  await page.goto("/login");
  await page.getByLabel("Numéro de carte").fill(String(cast.guardian.cardnumber));
  await page.getByLabel("Mot de passe", { exact: true }).fill(castPassword);
  await page.getByRole("button", { name: "Se connecter" }).click();
  await page.waitForURL(`${line.url}/dashboard`);
  await page.goto("/cagnottes/virement");
  const made = (await transfers()).length;
  await review(page, /Jade/, "4");
  line.loseAnswers(true);
  await page.getByRole("button", { name: /Envoyer 4,00.€ à Jade/ }).click();
  await page.getByText("Nous ne savons pas encore si le virement est parti.").waitFor();
  await expect.poll(async () => (await transfers()).length).toBe(made + 1);
  line.loseAnswers(false);
  await page.getByRole("button", { name: /Envoyer 4,00.€ à Jade/ }).click();
  await page.getByRole("heading", { name: /4,00.€ envoyés à Jade/ }).waitFor();
  await expect.poll(async () => (await transfers()).length).toBe(made + 1);
  await page.context().close();
  line.close();
});

test("an answer that is late is told; given up, the transfer tried again sends nothing twice", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await page.clock.install();
  await portal.signIn(page, "guardian");
  await page.goto("/cagnottes/virement");
  const made = (await transfers()).length;
  await review(page, /Thomas/, "6");
  const restore = holdAnswers(portal, /^\/api\/transfers$/);
  const send = page.getByRole("button", { name: /Envoyer 6,00.€ à Thomas/ });
  await send.click();
  await expect.poll(async () => (await transfers()).length).toBe(made + 1);
  await page.clock.fastForward(9000);
  await page.getByRole("alert").getByText("La réponse tarde.").waitFor();
  await page.getByText(/^Votre demande est partie/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Ne plus attendre" }).click();
  await page.getByText("Nous ne savons pas encore si le virement est parti.").waitFor();
  await page.getByText("La réponse tarde.").waitFor({ state: "detached" });
  restore();
  await send.click();
  await page.getByRole("heading", { name: /6,00.€ envoyés à Thomas/ }).waitFor();
  await expect.poll(async () => (await transfers()).length).toBe(made + 1);
  await page.context().close();
});

/** A line to the portal on which the answers to transfers can be lost on the way back. */
async function cuttableLine() {
  let losing = false;
  const port = Number(new URL(portal.url).port);
  const server: Server = createServer((client) => {
    const upstream = connect(port, "localhost");
    let transferring = false;
    client.on("data", (sent) => {
      // A body may come after its headers: it belongs to the request begun before.
      const begun = /^[A-Z]+ (\S+) HTTP/.exec(sent.toString("latin1"));
      if (begun) transferring = begun[1] === "/api/transfers";
      upstream.write(sent);
    });
    upstream.on("data", (answer) => {
      if (losing && transferring) client.destroy();
      else client.write(answer);
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    loseAnswers: (lose: boolean) => void (losing = lose),
    close: () => server.close(),
  };
}

test("a suspended or a blocked card: nothing says that it may send", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  const guardian = await portal.server.as("guardian");
  const { cardnumber } = cast.secondChild;
  await page.goto("/cagnottes/virement");
  await page.getByText(/Vous pouvez envoyer jusqu’à/).waitFor();
  for (const act of ["suspend", "oppose"]) {
    await guardian.post(
      `/api/cards/${cardnumber}/${act}`,
      act === "oppose" ? { reason: "lost" } : {},
    );
    await page.goto("/cagnottes/virement");
    await page.getByLabel("Depuis").selectOption({ label: "Ma carte" });
    await page.getByText(/Vous pouvez envoyer jusqu’à/).waitFor();
    await page.getByLabel("Depuis").selectOption({ label: "La carte de Jade Moreau" });
    await page.getByText("Cette carte ne peut rien envoyer").waitFor();
    await expect.poll(() => page.getByText(/Vous pouvez envoyer jusqu’à/).count()).toBe(0);
  }
  await page.context().close();
});

test("a wallet under dispute says that it sends nothing, before anything is sent", async () => {
  const { cardnumber } = cast.guardian;
  const freeze = (why: string | null) =>
    portal.server.deps.pool.query(
      `update wallet set frozen_why = $2, frozen_at = case when $2::text is null then null else now() end
       where person_id = (select person_id from card where number = $1)`,
      [cardnumber, why],
    );
  await freeze("litige");
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.signIn(page, "guardian");
  await page.goto("/cagnottes/virement");
  await page.getByText("Cette cagnotte ne peut rien envoyer").waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: "Vérifier le virement" }).isDisabled())
    .toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/transfer-frozen.png`, fullPage: true });
  await page.getByRole("link", { name: "Écrivez-nous" }).click();
  await page.waitForURL("**/contact?ecrire=1");
  await freeze(null);
  await page.context().close();
});

test("what is typed outlives an ended session, and is gone once it is sent", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.loginByForm(page, "guardian");
  await page.goto("/cagnottes/virement");
  await page.getByRole("radio", { name: /Thomas/ }).check();
  await page.getByLabel("Montant", { exact: true }).fill("7,50");
  // A document that reads nothing: no read in the background meets the end before the screen does.
  await page.goto("/robots.txt");
  await portal.server.deps.pool.query("update session set ended_at = now() where ended_at is null");
  await page.goto("/cagnottes/virement").catch(() => {});
  await page.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
  await portal.fillLogin(page, "guardian");
  await page.waitForURL("**/cagnottes/virement");
  const amount = page.getByLabel("Montant", { exact: true });
  await amount.waitFor();
  await expect.poll(() => amount.inputValue()).toBe("7,50");
  await expect.poll(() => page.getByRole("radio", { name: /Thomas/ }).isChecked()).toBe(true);
  // A link that names another card is another transfer.
  await page.goto(`/cagnottes/virement?vers=${cast.child.cardnumber}`);
  await amount.waitFor();
  await expect.poll(() => amount.inputValue()).toBe("");
  await expect.poll(() => page.getByRole("radio", { name: /Léo/ }).isChecked()).toBe(true);
  await page.goto("/cagnottes/virement");
  await page.getByRole("button", { name: "Vérifier le virement" }).click();
  await page.getByRole("button", { name: /Envoyer 7,50.€ à Thomas/ }).click();
  await page.getByRole("heading", { name: /7,50.€ envoyés à Thomas/ }).waitFor();
  await page.goto("/cagnottes/virement");
  await amount.waitFor();
  await expect.poll(() => amount.inputValue()).toBe("");
  await page.context().close();
});

test("who looks after nobody reads nothing of children where a code is announced", async () => {
  portal.server.deps.config.codeFromCents = 5000;
  const page = await portal.open();
  await portal.signIn(page, "child");
  await page.goto("/cagnottes/virement");
  await page
    .getByText(/À partir de 50,00\s€ en 24 heures, achats et réservations compris, un code/)
    .waitFor();
  await page.context().close();
});

test("without a card of the family, the way leads to the family", async () => {
  const page = await portal.open();
  await portal.signIn(page, "stranger");
  await page.goto("/cagnottes/virement");
  await page.getByRole("link", { name: "Voir ma famille" }).click();
  await page.getByRole("heading", { name: "Famille", level: 1 }).waitFor();
  await page.context().close();
});

test("nothing was lost or made on the way", async () => {
  const names = ["guardian", "child", "secondChild", "coGuardian"] as const;
  const balances = await Promise.all(names.map(balanceOf));
  const total = names.reduce((sum, name) => sum + opening(name), 0);
  expect(balances.reduce((sum, cents) => sum + cents, 0)).toBe(total);
});
