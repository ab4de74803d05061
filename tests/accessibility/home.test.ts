import { expect, test } from "vitest";
import { roomByPath, roomsOf, testRooms } from "./rooms.ts";

testRooms(roomsOf.home);

test("every room that gives a screen is walked in exactly one file", () => {
  const walked = Object.values(roomsOf).flat().toSorted();
  expect(walked).toEqual([...new Set(roomByPath.values())].toSorted());
});
