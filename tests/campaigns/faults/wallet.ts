// A thousand clients spend one wallet at the same moment: exactly what it can pay leaves it.
import { type Campaign } from "./campaign.ts";
import { broken, onDatabase } from "./load.ts";
import { transferUntilDefinite, startPortal, type PortalProcess } from "./portal-process.ts";

export const wallet: Campaign = {
  name: "wallet",
  says: "clients on one wallet at once: what it can pay is paid, the rest refused, never below zero",
  sizes: { spenders: { full: 1000, quick: 200 } },
  async run({ folder, size, progress }) {
    const { spenders = 1 } = size;
    const portal = await startPortal({ dataDir: `${folder}/data` });
    try {
      const sendable = await sendableOf(portal);
      // About four in ten can be paid, and a remainder is left that pays nobody.
      const amountCents = Math.max(2, Math.floor(sendable / (spenders * 0.4)));
      const payable = Math.min(spenders, Math.floor(sendable / amountCents));
      let done = 0;
      const answers = await Promise.all(
        Array.from({ length: spenders }, async () => {
          const made = await transferUntilDefinite(
            portal,
            [portal.child, portal.guardian],
            amountCents,
          );
          done += 1;
          progress(`${done}/${spenders} answered`);
          return made;
        }),
      );
      const paid = answers.filter(({ answer }) => answer?.status === 201).length;
      const refused = answers.filter(
        ({ answer }) => answer?.body["code"] === "insufficient_funds",
      ).length;
      const repeats = answers.reduce((sum, one) => sum + one.repeats, 0);
      const lost = await onDatabase(portal, broken);
      if (paid !== payable) lost.push(`${paid} were paid, the wallet could pay ${payable}`);
      if (paid + refused !== spenders) {
        const other = answers.find(({ answer }) => ![201, 409, 422].includes(answer?.status ?? 0));
        lost.push(`${spenders - paid - refused} other answers: ${JSON.stringify(other?.answer)}`);
      }
      const left = await sendableOf(portal);
      if (left !== sendable - paid * amountCents) lost.push(`${left} cents are left`);
      const did = `${spenders} clients, ${paid} paid of ${payable} payable, ${refused} refused`;
      return { did: `${did}, ${repeats} told to come back`, lost };
    } finally {
      await portal.close();
    }
  },
};

/** Purchased money of the child's wallet that is not set aside: what may be sent. */
async function sendableOf(portal: PortalProcess): Promise<number> {
  return await onDatabase(portal, async ({ pool }) => {
    const { rows } = await pool.query<{ cents: number }>(
      `select sum(a.balance - a.held)::bigint as cents from wallet w
         join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased'
         join ledger_account a on a.id = l.account_id where w.object_id = $1`,
      [portal.child.objectID],
    );
    return rows[0]?.cents ?? 0;
  });
}
