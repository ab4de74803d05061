// A server that only answers a body as large as that of a read.
import { createServer, type Server } from "node:http";

export const bareBody = JSON.stringify({
  cardnumber: 1,
  credit: 1.5,
  creditCents: 150,
  state: "a",
  atf: 1,
});

/** Reads the request and answers `bareBody`; the caller listens. */
export const bareServer = (): Server =>
  createServer((request, response) => {
    const headers = { "content-type": "application/json" };
    request.resume().on("end", () => response.writeHead(200, headers).end(bareBody));
  });
