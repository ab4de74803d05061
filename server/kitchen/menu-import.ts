// Menus imported from a file: previewed, then written as they were previewed, all or none.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { MenuImportPreview } from "#contract/kitchen/menu-import.ts";
import type { MenuWeek } from "#contract/kitchen/menus.ts";
import { todayInParis } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount } from "#contract/french.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { lineFileReader } from "#server/http/line-files.ts";
import type { ProviderCall } from "./canteens.ts";
import type { MenuFile, MenuFileTask } from "./menu-file.ts";
import { withAddedAllergens } from "./menu-allergens.ts";
import { lockMenus, menusOf, menuWeekOf, requireDeclared, writeMenuDays } from "./menus.ts";

type Truth = "true" | "false";
type FileCall<Input> = ProviderCall<Input & { source?: string | undefined; prices: Truth }> & {
  file: Buffer;
};

const read = lineFileReader<MenuFileTask, MenuFile>(
  new URL("menu-file-worker.ts", import.meta.url),
);

const fileOf = ({ deps, caller, file: bytes, input }: FileCall<unknown>): Promise<MenuFile> => {
  const today = todayInParis(deps.now());
  const { source, prices } = input;
  return read({ bytes, source, prices: prices === "true", today }, caller.personId);
};

/** Previews what a file would write and replace. Writes nothing. */
export async function previewMenuImport(call: FileCall<unknown>): Promise<MenuImportPreview> {
  const { deps, provider } = call;
  const file = await fileOf(call);
  const { sources, source, faults, stopped, notes } = file;
  const { days, fingerprint } = await compared(deps.db, provider.id, file);
  return {
    sources,
    source,
    faults,
    stopped,
    days,
    notes,
    fingerprint,
  };
}

/**
 * Writes what was previewed. Published days stay published, new ones stay unpublished without `publish`.
 * Refuses `menu_file_faults`, `menu_undeclared` when published dishes have undeclared allergens and this is
 * not confirmed, and `menu_preview_changed` when the file says something else by now or other menus would be
 * replaced.
 */
export async function importMenus(
  call: FileCall<{ publish: Truth; undeclared?: Truth | undefined; fingerprint: string }>,
): Promise<MenuWeek & { days: number }> {
  const {
    deps,
    provider: { id },
    input,
  } = call;
  // Before the transaction, so that reading a long file occupies no connection.
  const file = await fileOf(call);
  if (file.faults.length > 0) {
    const count = formatCount(file.faults.length);
    throw new Problem("menu_file_faults", { count: file.stopped ? `${count} au moins` : count });
  }
  return await inCompanyTx(call, async (tx) => {
    await lockMenus(tx, id);
    const { days, fingerprint } = await compared(tx, id, file);
    const [first] = days;
    if (!first || fingerprint !== input.fingerprint) throw new Problem("menu_preview_changed");
    const written = days.map(({ day }) => day);
    const [from, to] = [first.day, written.at(-1) ?? first.day];
    const publish = input.publish === "true";
    const visibleDays = days.filter(({ there }) => publish || there === "published");
    if (input.undeclared !== "true") requireDeclared(visibleDays);
    await withAddedAllergens(tx, deps, { providerId: id, from, to, at: deps.now() }, async () => {
      await writeMenuDays(tx, id, days);
      if (!publish) return;
      await sql`update canteen_menu set published_at = coalesce(published_at, ${deps.now()})
        where provider_id = ${id} and on_day = any (${written}::date[])`.execute(tx);
    });
    return { ...(await menuWeekOf(tx, id, first.day)), days: days.length };
  });
}

/** The days of a file beside the menus that they have now, and a fingerprint of both. */
async function compared(
  db: Db,
  providerId: number,
  { days, faults }: MenuFile,
): Promise<Pick<MenuImportPreview, "days" | "fingerprint">> {
  const [from, to] = [days[0]?.day, days.at(-1)?.day];
  const there = from && to ? await menusOf(db, providerId, from, to, { published: false }) : [];
  const isPublished = new Map(there.map(({ day, published }) => [day, published]));
  const states = { true: "published", false: "draft", undefined: "nothing" } as const;
  const beside = days.map((one) => ({
    ...one,
    dishes: [...one.dishes],
    there: states[`${isPublished.get(one.day)}`],
  }));
  const replaced = there.filter(({ day }) => days.some((one) => one.day === day));
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([days, replaced, faults.length]))
    .digest("hex");
  return { days: beside, fingerprint };
}
