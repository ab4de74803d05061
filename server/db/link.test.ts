// Addresses built by a statement equal those built by code.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { openClone } from "#tests/cluster.ts";
import type { OpenDb } from "./db.ts";
import { sqlAtPlace, sqlLink } from "./link.ts";
import { query } from "./query.ts";

let opened: OpenDb;
beforeAll(async () => {
  opened = await openClone(1);
});
afterAll(() => opened.close());

const [name, group, day] = [sql.ref("t.name"), sql.ref("t.group_id"), sql.ref("t.day")];

test.each([
  [
    sqlLink(paths.canteenProvider, { name, idgroup: group }, { week: day }),
    linkTo(paths.canteenProvider, { name: "port", idgroup: 3 }, { week: "2026-11-23" }),
  ],
  [
    sqlLink(paths.till, {}, { from: day, text: name }),
    linkTo(paths.till, {}, { from: "2026-11-23", text: "port" }),
  ],
  [sqlLink(paths.movements, { objectID: group }), linkTo(paths.movements, { objectID: 3 })],
  [sqlLink(paths.contact, {}), paths.contact],
  [
    sqlAtPlace(sqlLink(paths.family, {}), "invitation", group),
    atPlace(paths.family, "invitation", 3),
  ],
])("a statement gives the same address", async (made, address) => {
  const { path } = await query(opened.db).one(sql<{ path: string }>`
    select ${made} as path from (values ('port', 3, '2026-11-23')) t (name, group_id, day)`);
  expect(path).toBe(address);
});
