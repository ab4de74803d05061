// The keys of sealed storage in local storage: the specification's own names stand as they are.
import { expect, it } from "vitest";
import { installPage } from "#tests/page-globals.ts";
import { openSealedStorage } from "./sealed.ts";

installPage();

it("takes over what an earlier version kept under a prefix, and only those keys", () => {
  localStorage.setItem("ma-carte.user", "before");
  localStorage.setItem("ma-carte.transport", "before");
  localStorage.setItem("transport", "newer");
  localStorage.setItem("ma-carte.titles", "tickets");
  openSealedStorage();
  const values = ["user", "transport", "Data_card", "ma-carte.titles"].map((key) =>
    localStorage.getItem(key),
  );
  expect(values).toEqual(["before", "newer", null, "tickets"]);
  expect(localStorage.getItem("ma-carte.user")).toBeNull();
  expect(localStorage.getItem("ma-carte.transport")).toBeNull();
});

it("keeps unsent work through the end of a session, for its owner alone", async () => {
  const storage = openSealedStorage();
  const later = Date.now() + 60_000;
  await storage.put("unsent/scan/1", "author", { stored: true }, later);
  await storage.put("list", "author", { stored: false }, later);
  storage.wipe();
  expect(storage.names("unsent/")).toEqual(["unsent/scan/1"]);
  expect(await storage.get("unsent/scan/1", "author")).toEqual({ stored: true });
  expect(await storage.get("unsent/scan/1", "somebody else")).toBeNull();
  expect(await storage.get("list", "author")).toBeNull();
});

it("keeps nothing that is still being sealed when the session ends, nor what is past", async () => {
  const storage = openSealedStorage();
  const later = Date.now() + 60_000;
  const card = storage.put("Data_card", "owner", { cardnumber: 1 }, later);
  const work = storage.put("unsent/scan/2", "owner", { stored: true }, later);
  storage.wipe();
  await Promise.all([card, work, storage.put("past", "owner", 1, Date.now())]);
  expect(await storage.get("Data_card", "owner")).toBeNull();
  expect(localStorage.getItem("Data_card")).toBeNull();
  expect(storage.names("past")).toEqual([]);
  expect(await storage.get("unsent/scan/2", "owner")).toEqual({ stored: true });
});
