// Hands a document of the API to the person as a file.
import type { Download } from "#web/app/transport/api.ts";

/** Saves a document under the name that the server gave it. */
export function save({ blob, filename }: Download): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = filename;
  link.click();
  // The browser reads the blob after this turn; a minute is more than it needs to begin.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
