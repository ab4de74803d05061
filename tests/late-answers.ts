// Server answers that are held back, or lost on the way: what was requested is done all the same.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestPortal } from "./test-portal.ts";

/**
 * From now on the answers to `POST` calls whose path matches are lost, until the returned function is called.
 */
export function loseAnswers(portal: TestPortal, path: RegExp): () => void {
  return onAnswers(portal, path, (response) => {
    response.end = () => response.destroy();
  });
}

/** The same for answers that do not come until the returned function is called. */
export function holdAnswers(portal: TestPortal, path: RegExp): () => void {
  let isOver = false;
  const held: (() => void)[] = [];
  const stop = onAnswers(portal, path, (response) => {
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      if (isOver) return end(...args);
      held.push(() => end(...args));
      return response;
    };
  });
  return () => {
    stop();
    isOver = true;
    for (const pass of held) pass();
  };
}

function onAnswers(
  { server }: TestPortal,
  path: RegExp,
  trouble: (response: ServerResponse) => void,
): () => void {
  const meet = ({ method, url = "" }: IncomingMessage, response: ServerResponse) => {
    if (method === "POST" && path.test(url)) trouble(response);
  };
  server.app.server.prependListener("request", meet);
  return () => void server.app.server.off("request", meet);
}
