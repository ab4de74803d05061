// Answers kept for the screens: which failed reads are an error notification of their own (spec §8).
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "#contract/api.ts";
import { installPage, tokenSaying } from "#tests/page-globals.ts";

installPage();
const { answerOptions, queryClient } = await import("./answers.ts");
const { keepToken } = await import("./token.ts");
const { ToastRegion } = await import("#web/ui/toast.tsx");

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["card/info", api.wallet.info],
  ["services/public", api.wallet.publicServices],
  ["services/billet", api.tickets.billet],
])("a %s that is not found is told as any other failure", async (name, row) => {
  keepToken(tokenSaying({ exp: Date.now() / 1000 + 3600 }), 3600);
  for (const status of [404, 503]) {
    const message = `${name} ${status}`;
    const refusal = () =>
      Promise.resolve(Response.json({ code: "not_found", message }, { status }));
    vi.stubGlobal("fetch", refusal);
    const read = queryClient.fetchQuery(answerOptions(row, { cardnumber: 1000000016 }));
    await expect(read).rejects.toThrow(message);
    expect(renderToStaticMarkup(createElement(ToastRegion))).toContain(message);
  }
});
