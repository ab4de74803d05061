// Loaded before a measured server (`node --import`): counts its statements and the time until their answers,
// and tells them on a port of its own. Nothing of the server is changed by it but that.
import { createServer } from "node:http";
import { Client } from "pg";

let statements = 0;
let milliseconds = 0;
const plain = Reflect.get(Client.prototype, "query") as (...given: unknown[]) => unknown;
Reflect.set(Client.prototype, "query", function query(this: Client, ...given: unknown[]) {
  const from = performance.now();
  const answer = plain.apply(this, given);
  statements += 1;
  if (answer instanceof Promise) void count(answer, from);
  return answer;
});

async function count(answer: Promise<unknown>, from: number): Promise<void> {
  await answer.catch(() => undefined);
  milliseconds += performance.now() - from;
}

const port = Number(process.env["COUNT_PORT"]);
const server = createServer((_request, reply) => {
  reply.end(JSON.stringify({ statements, milliseconds }));
});
if (port) server.listen(port, "127.0.0.1").unref();
