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
  const kept = ["user", "transport", "Data_card", "ma-carte.titles"].map((key) =>
    localStorage.getItem(key),
  );
  expect(kept).toEqual(["before", "newer", null, "tickets"]);
  expect(localStorage.getItem("ma-carte.user")).toBeNull();
  expect(localStorage.getItem("ma-carte.transport")).toBeNull();
});
