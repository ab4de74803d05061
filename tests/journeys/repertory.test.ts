// The directory of the professional area: from its categories, the plan of a large scheme, and the category
// that the owner of a sheet chooses.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { minDistance } from "../map-markers.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  await furnishDirectory(portal.server.deps);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test.each([360, 1280])("at %s px: a category, its partners, a sheet and back", async (width) => {
  const colorScheme = width === 360 ? "dark" : "light";
  const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
  await portal.signIn(page, "employer");
  await page.goto("/professional");
  await page.waitForURL("**/professional/repertory");
  await page.getByText("26 partenaires").waitFor();
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Catégories" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/professional/category");
  await page.getByRole("heading", { name: "Catégories", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Librairies et presse" }).waitFor();
  await expect.poll(() => page.getByRole("heading", { name: /Votre fiche/ }).count()).toBe(0);
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  if (width > 1000) {
    const place = page.getByRole("navigation", { name: "Navigation principale" });
    await place.getByRole("link", { name: "Répertoire", exact: true }).waitFor();
    await expect.poll(() => place.locator("[aria-current=page]").innerText()).toBe("Répertoire");
  }
  const line = page.getByRole("listitem").filter({ hasText: "Librairies et presse" }).last();
  const count = Number((await line.innerText()).replaceAll(/\D/g, "").at(0));
  await page.getByRole("link", { name: "Librairies et presse" }).click();
  // The list of categories says as much of several of them, until it is left.
  const found = page.getByText(new RegExp(`^${count} partenaires?$`));
  await expect.poll(() => found.count()).toBe(1);
  await page.getByRole("link", { name: "Librairie des Embruns" }).first().click();
  await page.getByRole("heading", { name: "Librairie des Embruns", level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/professional/repertory");
  await page.getByRole("link", { name: "Tout l’annuaire" }).click();
  await expect.poll(() => found.count()).toBe(1);
  await page.context().close();
});

test("the owner of a sheet chooses its category; a cashier reads it; a holder is sent home", async () => {
  const page = await portal.open();
  await portal.signIn(page, "partnerShop");
  await page.goto("/professional/category");
  await page.getByRole("heading", { name: "Votre fiche" }).waitFor();
  await press(page.getByRole("button", { name: "Changer la catégorie de Librairie" }), "Enter");
  const dialog = page.getByRole("dialog", { name: "Changer de catégorie" });
  const select = dialog.getByLabel("Catégorie de Librairie des Embruns");
  await select.waitFor();
  const options = await select.getByRole("option").allInnerTexts();
  const before = await select.inputValue();
  const other = options.find((one) => one.includes("Cinéma")) ?? "";
  await select.selectOption({ label: other });
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Changer de catégorie" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText(/Librairie des Embruns est maintenant dans/).waitFor();
  const own = page
    .getByRole("link", { name: other.split(" › ").at(-1) ?? "", exact: true })
    .first();
  await own.click();
  await page.getByRole("link", { name: "Librairie des Embruns" }).first().waitFor();
  await sql`update partner set category_id = ${before} where name = 'Librairie des Embruns'`.execute(
    portal.server.deps.db,
  );
  await portal.server.deps.pool.query(
    `update company_member set roles = '{cashier}'
     where person_id = (select person_id from card where number = $1)`,
    [cast.partnerShop.cardnumber],
  );
  await page.goto("/professional/category");
  await page.getByRole("heading", { name: "Votre fiche" }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Changer/ }).count()).toBe(0);
  await page.context().close();
  const holder = await portal.open();
  await portal.signIn(holder, "guardian");
  for (const closed of ["/professional/category", "/professional/repertory"]) {
    await holder.goto(closed);
    await holder.waitForURL(/\/dashboard$/);
  }
  await holder.context().close();
});

// proves: map
test("with 600 partners the plan keeps its marks apart and its names readable, by keyboard to one of them", async () => {
  await sql`insert into partner (reference, name, category_id, summary, description, keywords, street,
      postcode, town, lat, lon)
    select 'beaucoup-' || n, 'Lieu ' || n,
      (select id from partner_category order by id limit 1), 'Un lieu', 'Un lieu', '', n || ' rue', '35400',
      'Bourg ' || n % 40, 48.4 + (n % 40) * 0.012 + (n % 7) * 0.002, -2.4 + (n * 13 % 40) * 0.02 + (n % 5) * 0.003
    from generate_series(1, 574) n`.execute(portal.server.owner.db);
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "employer");
  await page.goto("/professional/repertory?vue=plan");
  const plan = page.getByRole("figure");
  await plan.waitFor();
  await expect.poll(() => plan.getAttribute("aria-label")).toContain("600 lieux");
  const marks = plan.getByRole("link").or(plan.getByRole("button", { name: /voir de plus près/ }));
  await expect.poll(() => minDistance(marks)).toBeGreaterThan(30);
  const names = plan.locator("svg text[text-anchor=middle]");
  await expect.poll(() => names.count()).toBeGreaterThan(1);
  const covered = () =>
    names.evaluateAll((all) => {
      const boxes = all.map((name) => name.getBoundingClientRect());
      return boxes.flatMap((one, index) =>
        boxes
          .slice(index + 1)
          .filter(
            (other) =>
              one.left < other.right &&
              other.left < one.right &&
              one.top + 3 < other.bottom &&
              other.top + 3 < one.bottom,
          ),
      ).length;
    });
  await expect.poll(covered).toBe(0);
  // From numbers to a single place, without a mouse.
  for (let presses = 0; (await plan.getByRole("link").count()) === 0; presses++) {
    expect(presses).toBeLessThan(8);
    await plan
      .getByRole("button", { name: /voir de plus près/ })
      .first()
      .press("Enter");
    await plan.getByRole("button", { name: "Tout le plan" }).waitFor();
  }
  await plan.getByRole("link").first().press("Enter");
  await page.waitForURL(/fiche=/);
  await page.getByRole("heading", { name: "Horaires" }).waitFor();
  await page.context().close();
});
