// Which files belong to which of Vitest's projects; read by vitest.config.ts, the report and the choice of
// tests for a change.
import { matchesGlob } from "node:path";

/** These stand in for what a page finds around it (tests/page-globals.ts). */
const inPage = ["tests/literals.test.ts", "tests/url-snapshot.test.ts"];

interface Files {
  include: string[];
  exclude?: string[];
}

export type ProjectName = "rooms" | "pages" | "journeys" | "accessibility" | "campaigns";

export const projectFiles: Readonly<Record<ProjectName, Files>> = {
  rooms: {
    include: ["{server,contract}/**/*.test.ts", "tests/*.test.ts"],
    exclude: inPage,
  },
  pages: { include: ["web/**/*.test.{ts,tsx}", ...inPage] },
  journeys: { include: ["tests/journeys/*.test.ts"] },
  accessibility: { include: ["tests/accessibility/*.test.ts"] },
  campaigns: { include: ["tests/campaigns/*.test.ts"] },
};

/** The project of a test file, its path relative to the root; undefined for any other file. */
export function projectOf(file: string): ProjectName | undefined {
  const matches = (patterns: readonly string[]) => patterns.some((one) => matchesGlob(file, one));
  const names = Object.keys(projectFiles) as ProjectName[];
  return names.find((name) => {
    const { include, exclude = [] } = projectFiles[name];
    return matches(include) && !matches(exclude);
  });
}
