import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { launchBrowser } from "../browser.ts";

test("the browser is a real one: it runs scripts, holds cookies and calls nobody else", async () => {
  const hosts = new Set<string>();
  const server = createServer((request, response) => {
    hosts.add(request.headers.host ?? "");
    response.setHeader("set-cookie", "seen=1; SameSite=Strict; Path=/");
    response.end("<!doctype html><title>Ma carte</title><button onclick='this.remove()'>Payer");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://${address}/`);
    await expect.poll(() => page.title()).toBe("Ma carte");
    await page.getByRole("button", { name: "Payer" }).click();
    await expect.poll(() => page.getByRole("button").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.cookie")).toBe("seen=1");
    expect([...hosts]).toEqual([address]);
    expect(Number(browser.version().split(".")[0])).toBeGreaterThanOrEqual(140);
  } finally {
    await browser.close();
    server.close();
  }
});
