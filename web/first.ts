// The document's own script, a small one: it asks for the font and for what the first screen is drawn from, then
// starts the portal, whose files arrive meanwhile (web/build/preload.ts).
import { paths } from "#contract/paths.ts";
import { prefetchDashboard } from "./dashboard/prefetch.ts";
import { loadFont } from "./ui/font.ts";

// Before anything is drawn: what comes later moves what is there.
void loadFont();
const start = () => import("./main.tsx");
if (location.pathname === paths.dashboard) {
  import("./dashboard/dashboard-page.tsx").catch(() => {});
  // Once they are sent: the portal's code keeps the processor busy. Its own calls say what is wrong.
  void prefetchDashboard().then(start, start);
} else void start();
