// Loaded before a measured server (`node --import`): counts its statements and the time until their answers,
// and serves these figures on its own port; `/plans` lists the named statements that are planned anew at each
// call. It changes nothing else in the server.
import { createServer } from "node:http";
import { Client } from "pg";

let statements = 0;
let milliseconds = 0;
const clients = new Set<Client>();
const plain = Reflect.get(Client.prototype, "query") as (...args: unknown[]) => unknown;
Reflect.set(Client.prototype, "query", function query(this: Client, ...args: unknown[]) {
  clients.add(this);
  const from = performance.now();
  const answer = plain.apply(this, args);
  statements += 1;
  if (answer instanceof Promise) void count(answer, from);
  return answer;
});

async function count(answer: Promise<unknown>, from: number): Promise<void> {
  await answer.catch(() => undefined);
  milliseconds += performance.now() - from;
}

/**
 * Counts, for each named statement on all connections, custom plans (made for the values of a call) and
 * generic ones.
 */
async function planCounts(): Promise<{ statement: string; custom: number; generic: number }[]> {
  const counts = new Map<string, { custom: number; generic: number }>();
  for (const client of clients) {
    const read = plain.call(
      client,
      "select statement, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements",
    ) as Promise<{ rows: { statement: string; custom: number; generic: number }[] }>;
    const { rows } = await read.catch(() => ({ rows: [] }));
    for (const { statement, custom, generic } of rows) {
      const known = counts.get(statement) ?? { custom: 0, generic: 0 };
      counts.set(statement, { custom: known.custom + custom, generic: known.generic + generic });
    }
  }
  return [...counts].map(([statement, plans]) => ({ statement, ...plans }));
}

const port = Number(process.env["COUNT_PORT"]);
const server = createServer((request, reply) => {
  if (request.url === "/plans") void planCounts().then((all) => reply.end(JSON.stringify(all)));
  else reply.end(JSON.stringify({ statements, milliseconds }));
});
if (port) server.listen(port, "127.0.0.1").unref();
