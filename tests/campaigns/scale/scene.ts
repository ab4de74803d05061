// A drill on three machines' parts, and what it is given.
import type { Load } from "#tests/campaigns/faults/load.ts";
import type { Holder } from "#tests/campaigns/faults/portal-process.ts";
import type { Trio } from "./trio.ts";

export interface Scene {
  trio: Trio;
  load: Load;
  holder: Holder;
}

/** It breaks something, waits until that is mended, and says what it saw; or throws. */
export interface Drill {
  name: string;
  says: string;
  run(scene: Scene): Promise<string>;
}
