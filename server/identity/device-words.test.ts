// Browsers in words that their owner recognises.
import { expect, test } from "vitest";
import { deviceOf } from "./device-words.ts";

const mozilla = "Mozilla/5.0";
const like = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${like} Chrome/153.0 Safari/537.36`,
    "Chrome sur Windows",
  ],
  [`${mozilla} (Windows NT 10.0) ${like} Chrome/153.0 Safari/537.36 Edg/153.0`, "Edge sur Windows"],
  [`${mozilla} (X11; Linux x86_64) ${like} HeadlessChrome/153.0 Safari/537.36`, "Chrome sur Linux"],
  [
    `${mozilla} (Linux; Android 16; Pixel 10) ${like} Chrome/153.0 Mobile Safari/537.36`,
    "Chrome sur Android",
  ],
  [
    `${mozilla} (Linux; Android 16; SM-S931B) ${like} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    "Samsung Internet sur Android",
  ],
  [`${mozilla} (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0`, "Firefox sur Android"],
  [
    `${mozilla} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1`,
    "Safari sur iPhone",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 CriOS/150.0 Safari/604.1`,
    "Chrome sur iPhone",
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/19.0 Safari/605.1`,
    "Safari sur Mac",
  ],
  [`${mozilla} (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0`, "Firefox sur Linux"],
  ["curl/8.9", "Appareil inconnu"],
  ["", "Appareil inconnu"],
  [null, "Appareil inconnu"],
])("%s", (agent, words) => {
  expect(deviceOf(agent)).toBe(words);
});
