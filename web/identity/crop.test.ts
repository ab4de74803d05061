import { expect, test } from "vitest";
import { dragged, middle, squareOf } from "./crop.ts";

const wide = { width: 400, height: 200 };

test("the middle of a wide picture, then its edges", () => {
  expect(squareOf(wide, middle)).toEqual({ side: 200, left: 100, top: 0 });
  expect(squareOf(wide, { zoom: 2, x: -1, y: 1 })).toEqual({ side: 100, left: 0, top: 100 });
});

test("the picture follows the finger, and stops at its edges", () => {
  const next = dragged(wide, middle, { x: 0.25, y: 0.25 });
  expect(squareOf(wide, next)).toEqual({ side: 200, left: 50, top: 0 });
  expect(dragged(wide, middle, { x: -9, y: 0 })).toEqual({ zoom: 1, x: 1, y: 0 });
});
