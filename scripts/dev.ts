// `npm run dev`: the server on PORT, restarted when its code changes, and Vite on its own port with a proxy
// to the API. When one ends, so does the other.
import { type ChildProcess, spawn } from "node:child_process";

const environment = { ...process.env, CHECK_ANSWERS: process.env["CHECK_ANSWERS"] ?? "1" };
const children: ChildProcess[] = [
  spawn(
    "node",
    ["--watch-path=server", "--watch-path=contract", "server/process/main.mjs", "--sources"],
    {
      stdio: "inherit",
      env: environment,
    },
  ),
  spawn("vite", [], { stdio: "inherit", env: environment }),
];
const end = (signal: NodeJS.Signals) => {
  for (const child of children) child.kill(signal);
};
process.on("SIGINT", () => end("SIGINT"));
process.on("SIGTERM", () => end("SIGTERM"));
for (const child of children)
  child.once("close", (code) => {
    process.exitCode ??= code ?? 0;
    end("SIGTERM");
  });
