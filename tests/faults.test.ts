// The campaigns of `npm run faults` at their small sizes: the same kills, cuts and jumps, a few of each.
// One wallet at once, webhooks tripled and shuffled, the random run of the ledger and two servers that
// migrate at once have tests of their own (server/ledger, server/payments, tests/starter.test.ts).
import { afterEach, expect, test } from "vitest";
import { type Campaign, perform, sizesOf } from "../scripts/faults/campaign.ts";
import { clock } from "../scripts/faults/clock.ts";
import { commit } from "../scripts/faults/commit.ts";
import { crash } from "../scripts/faults/crash.ts";
import { disk } from "../scripts/faults/disk.ts";
import { restore } from "../scripts/faults/restore.ts";
import { sigterm } from "../scripts/faults/sigterm.ts";
import { killServers } from "./server-process.ts";

// All within 90 s: on a machine so busy that the time is over, the last ones are left to the command.
const short: readonly Campaign[] = [crash, commit, restore, sigterm, disk, clock];
const latestStartMs = 75_000;
const startedAt = performance.now();
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

afterEach(killServers);

for (const campaign of short) {
  test(`${campaign.name}: ${campaign.says}`, { timeout: 120_000 }, async (context) => {
    if (performance.now() - startedAt > latestStartMs) {
      return context.skip(`busy machine: npm run faults -- --only ${campaign.name}`);
    }
    const size = sizesOf(campaign, "quick");
    const { did, lost, skipped } = await perform(campaign, { size, seed, progress() {} });
    if (skipped) return context.skip(skipped);
    console.log(`${campaign.name}: ${did}`);
    expect(lost, `SEED=${seed}`).toEqual([]);
  });
}
