// The document's own script, a small one: it asks for what the first screen is drawn from, then for the font,
// and starts the portal, whose files arrive meanwhile (web/build/ahead.ts).
import { paths } from "./app/guards.ts";
import { askFirst } from "./dashboard/asked-first.ts";
import { loadFont } from "./ui/font.ts";

async function start(): Promise<void> {
  void loadFont();
  await import("./main.tsx");
}

if (location.pathname === paths.home) {
  import("./dashboard/dashboard-page.tsx").catch(() => {});
  // Once they are sent: the portal's code keeps the processor busy. Its own calls say what is wrong.
  void askFirst().then(start, start);
} else void start();
