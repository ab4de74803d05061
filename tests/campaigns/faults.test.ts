// The campaigns of `npm run faults` at their small sizes: the same kills, cuts and jumps, a few of each.
// One wallet at once, webhooks tripled and shuffled, the random run of the ledger and two servers that
// migrate at once have tests of their own (server/ledger, server/payments, tests/campaigns/starter.test.ts).
import { afterAll, afterEach, expect, test } from "vitest";
import { type Campaign, perform, sizesOf } from "#tests/campaigns/faults/campaign.ts";
import { clock } from "#tests/campaigns/faults/clock.ts";
import { commit } from "#tests/campaigns/faults/commit.ts";
import { crash } from "#tests/campaigns/faults/crash.ts";
import { removeTemplate } from "#tests/campaigns/faults/data-folder.ts";
import { disk } from "#tests/campaigns/faults/disk.ts";
import { invoices } from "#tests/campaigns/faults/invoices.ts";
import { restore } from "#tests/campaigns/faults/restore.ts";
import { sigterm } from "#tests/campaigns/faults/sigterm.ts";
import { killServers } from "#tests/server-process.ts";

const quick: readonly Campaign[] = [crash, commit, invoices, restore, sigterm, disk, clock];
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

afterEach(killServers);
afterAll(removeTemplate);

for (const campaign of quick) {
  // proves: stored-once
  test(`${campaign.name}: ${campaign.says}`, async (context) => {
    const size = sizesOf(campaign, "quick");
    const { did, lost, skipped } = await perform(campaign, { size, seed, progress() {} });
    if (skipped) return context.skip(skipped);
    console.log(`${campaign.name}: ${did}`);
    expect(lost, `SEED=${seed}`).toEqual([]);
  });
}
