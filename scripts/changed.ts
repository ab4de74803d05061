// `npm test -- --changed [commit]`: what changed since a commit, by default since the branch left its
// upstream (uncommitted and untracked files count), and the tests that it can reach.
// Vitest's own `--changed` follows every import: a comment in server/contact/messages.ts runs 214 of 292
// files, for each test opens a server that knows all rooms. Here the graph is cut where rooms are put
// together.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screens } from "#web/routes.ts";
import { chooseTests } from "./test-choice.ts";
import { projectOf } from "./test-projects.ts";
import { root } from "./vitest-run.ts";

export interface Changed {
  files: string[];
  /** Paths of the chosen tests, relative to the root. */
  tests: string[];
  /** What was chosen and why, as printed lines. */
  lines: string[];
}

/** Takes `--changed` and its commit out of the words; undefined where they do not have it. */
export function takeChanged(words: string[]): Changed | undefined {
  const at = words.indexOf("--changed");
  if (at < 0) return undefined;
  words.splice(at, 1);
  const commit = words[at] === undefined ? "" : commitOf(words[at]);
  if (commit) words.splice(at, 1);
  return changedSince(commit || lastLanded());
}

/** The commit that a word names, empty for a word that names none. */
function commitOf(word: string): string {
  if (word.startsWith("-")) return "";
  try {
    return git("rev-parse", "--verify", "--quiet", `${word}^{commit}`)[0] ?? "";
  } catch {
    return "";
  }
}

/** The merge base with the branch's upstream; HEAD where there is none. */
function lastLanded(): string {
  try {
    return git("merge-base", "HEAD", "@{upstream}")[0] ?? "HEAD";
  } catch {
    return "HEAD";
  }
}

function changedSince(commit: string): Changed {
  const unknown = git("ls-files", "-o", "--exclude-standard");
  const files = [...git("diff", "--name-only", "--no-renames", commit), ...unknown];
  const { groups, unvisited } = chooseTests(files, {
    sources: readSources(),
    screens: new Map(
      Object.entries(screens).flatMap(([path, screen]) => {
        const file = /import\("\.\/([^"]+)"\)/.exec(String(screen))?.[1];
        return file ? [[path, `web/${file}`] as const] : [];
      }),
    ),
  });
  const lines = [`${files.length} files changed since ${commit.slice(0, 7)}; of the tests run`];
  for (const { reason, tests } of groups) {
    const counts = Object.entries(Object.groupBy(tests, (file) => projectOf(file) ?? ""));
    const summary = counts.map(([name, found]) => `${name} ${found.length}`).join(", ");
    lines.push(`  ${summary}: ${reason}`);
  }
  if (groups.some(({ reason }) => reason.startsWith("everything")))
    lines.push("This is most of `npm test`, which runs all checks too.");
  if (unvisited.length > 0)
    lines.push(`Not run: npm run test:accessibility -- -t "^(${unvisited.join("|")}):"`);
  return { files, tests: groups.flatMap(({ tests }) => tests), lines };
}

/** The project's files, tracked or not, with the text of those that may refer to other files. */
function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  for (const file of git("ls-files", "-co", "--exclude-standard")) {
    try {
      const text = /\.(?:tsx?|mjs|sql)$/.test(file) ? readFileSync(join(root, file), "utf8") : "";
      sources.set(file, text);
    } catch {
      // Removed, but the removal is not staged yet.
    }
  }
  return sources;
}

function git(...words: string[]): string[] {
  const output = execFileSync("git", ["-c", "core.quotePath=off", ...words], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return output.split("\n").filter(Boolean);
}
