// The file of cards and amounts that an owner sends: read in a process of its own (file-lines.ts).
import type { Output } from "#contract/endpoint.ts";
import type { grants as rows } from "#contract/grants/rows.ts";
import { lineFileReader } from "#server/http/line-files.ts";
import type { Call } from "#server/http/serve.ts";
import type { GrantLinesTask } from "./file-lines.ts";
import { grantableCards } from "./fulfilment.ts";

type Read = Output<typeof rows.readFile>;
const read = lineFileReader<GrantLinesTask, Read>(new URL("file-worker.ts", import.meta.url));

/** Reads a file. Refuses what its row lists; faults of lines are in the answer. */
export async function readGrantsFile({
  deps,
  caller,
  company: { companyId },
  file: bytes,
}: Call<typeof rows.readFile>): Promise<Read> {
  const able = await grantableCards(deps.db, companyId);
  return await read({ bytes, able }, caller.personId);
}
