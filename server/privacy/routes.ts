import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { askClosure, cancelClosure } from "./closing.ts";
import { askExport, download } from "./exports.ts";
import { privacySeen } from "./privacy.ts";

export const privacyRoutes = routes("privacy", api.privacy, {
  seen: privacySeen,
  askExport,
  download,
  close: askClosure,
  keepOpen: cancelClosure,
});
