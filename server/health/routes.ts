import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { keep, read, withdraw } from "./health.ts";

export const healthRoutes = routes("health", api.health, { read, keep, withdraw });
