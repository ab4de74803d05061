// Every setting of the server, read once from the environment: nothing else reads process.env.
// A setting that cannot be understood stops the start with one sentence that names it.
import { join } from "node:path";
import * as z from "zod/mini";
import { email } from "#contract/endpoint.ts";
import { money } from "#contract/limits.ts";
import { parseTrustedProxies, trustNobody } from "#server/http/client-address.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { demoIssuer, type Issuer, readIssuer } from "./issuer.ts";
import { type MapSettings, originOfTiles, tilesTemplate } from "./map-settings.ts";
import { StartProblem, exitCodes } from "./start-problem.ts";

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Another address of Stripe's API than its own, for tests; else null. */
  apiUrl: string | null;
}

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** The root key itself, or null when it is in its file. */
  rootKey: string | null;
  rootKeyFile: string;
  /** An external PostgreSQL; null for the embedded one under `dataDir`. */
  databaseUrl: string | null;
  /** The same database by the role that owns it, for migrations; null where `databaseUrl` does both. */
  databaseOwnerUrl: string | null;
  /**
   * The same database and role without the pooler of `databaseUrl`, which gives each transaction another
   * connection: for work that needs a connection of its own. Null where `databaseUrl` is PostgreSQL itself.
   */
  databaseDirectUrl: string | null;
  /** A replica of it, for reads on which no decision depends; else null. */
  databaseReadUrl: string | null;
  /** Maximum number of connections of this process. */
  poolSize: number;
  /** Fills the demo scheme once, and stores outgoing messages for /demo/messages. */
  demo: boolean;
  /** `none`: top-ups are refused (spec.md 20: fictitious payments are never a silent default). */
  payments: "sandbox" | "stripe" | "none";
  /** Keys of Stripe. Where they are set without `PAYMENTS=stripe`, its late events are still accepted. */
  stripe: StripeSettings | null;
  /** Address of the portal as browsers see it, without a final slash. */
  publicUrl: string;
  /** The proxies whose statement of the client's address is trusted (X-Forwarded-For). */
  trustedProxies: TrustedProxies;
  smtpUrl: string | null;
  mailFrom: string;
  smsUrl: string | null;
  /** The phone number shown where no channel can send a code (spec.md 20). */
  supportPhone: string | null;
  /** The address to write to; messages name it beside the phone. */
  supportEmail: string | null;
  /** The issuer of invoices and payer of partners; null: neither is done. */
  issuer: Issuer | null;
  /** The background of the plans, by a service that the town has chosen; null: the portal draws its own. */
  map: MapSettings | null;
  /** Token for /api/metrics from other machines. */
  metricsToken: string | null;
  logLevel: (typeof logLevels)[number];
  /** Checks every answer against the contract and fails on a difference: for tests and development. */
  checkAnswers: boolean;
  topUpMinCents: number;
  topUpMaxCents: number;
  walletCapCents: number;
  codeFromCents: number;
  topUpCodeFromCents: number;
  /** Calls per minute of one person to one row that writes, where the row has no rate of its own. */
  writesPerMinute: number;
}

const whole = (min: number, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number)),
    z.number().check(z.minimum(min), z.maximum(max)),
  );
const words = new Map([
  ...["1", "true", "oui", "yes", "on"].map((word) => [word, true] as const),
  ...["0", "false", "non", "no", "off"].map((word) => [word, false] as const),
]);
const yesOrNo = z.pipe(
  z.string().check(z.refine((word) => words.has(word.toLowerCase()))),
  z.transform((word: string) => words.get(word.toLowerCase()) as boolean),
);
const proxies = z.pipe(
  z.string().check(z.refine((value) => parseTrustedProxies(value) !== null)),
  z.transform((value: string) => parseTrustedProxies(value) ?? trustNobody),
);
const address = (protocols: RegExp) => z.url({ protocol: protocols });
const text = z.string().check(z.maxLength(1000));

// Each setting with an example of a valid value, shown to the operator who gave an invalid one.
const settings = {
  PORT: [whole(1, 65_535), "un numéro de port de 1 à 65535"],
  HOST: [text, "un nom ou une adresse de cette machine, par exemple 127.0.0.1 ou 0.0.0.0"],
  DATA_DIR: [text, "un dossier"],
  ROOT_KEY: [text, "32 octets en base64url"],
  ROOT_KEY_FILE: [text, "un fichier que seul le serveur peut lire"],
  DATABASE_URL: [
    address(/^postgres(ql)?$/),
    "une adresse postgres://utilisateur:motdepasse@hôte/base",
  ],
  DATABASE_OWNER_URL: [
    address(/^postgres(ql)?$/),
    "l'adresse de la même base que DATABASE_URL, par le rôle qui la possède",
  ],
  DATABASE_DIRECT_URL: [
    address(/^postgres(ql)?$/),
    "l'adresse de la même base que DATABASE_URL, par le même rôle, sans passer par PgBouncer",
  ],
  DATABASE_READ_URL: [
    address(/^postgres(ql)?$/),
    "l'adresse postgres:// d'une réplique de DATABASE_URL",
  ],
  POOL_SIZE: [whole(2, 500), "un nombre de connexions de 2 à 500"],
  DEMO: [yesOrNo, "1 ou 0"],
  PAYMENTS: [
    z.enum(["sandbox", "stripe", "none"]),
    "sandbox (paiements fictifs), stripe ou none (recharge fermée)",
  ],
  STRIPE_SECRET_KEY: [
    z.string().check(z.regex(/^(sk|rk)_(test|live)_[\w]{8,250}$/)),
    "une clé secrète (sk_) ou restreinte (rk_) de Stripe",
  ],
  STRIPE_WEBHOOK_SECRET: [
    z.string().check(z.regex(/^whsec_[\w+/=]{8,250}$/)),
    "le secret whsec_ du point d'écoute créé chez Stripe",
  ],
  STRIPE_API_URL: [address(/^https?$/), "une adresse http(s), pour les essais seulement"],
  METRICS_TOKEN: [
    z.string().check(z.regex(/^[\x21-\x7e]{16,200}$/)),
    "un mot de passe d'au moins 16 caractères, sans espace",
  ],
  PUBLIC_URL: [address(/^https?$/), "l'adresse du portail, par exemple https://carte.exemple.fr"],
  TRUST_PROXY: [
    proxies,
    "le nombre de relais devant le serveur (0 à 10), ou leurs adresses et plages CIDR séparées par des virgules",
  ],
  SMTP_URL: [address(/^smtps?$/), "une adresse smtp:// ou smtps://"],
  MAIL_FROM: [text, "une adresse d'expéditeur"],
  SMS_URL: [address(/^https?$/), "l'adresse http(s) de la passerelle SMS"],
  SUPPORT_PHONE: [text, "un numéro de téléphone"],
  SUPPORT_EMAIL: [email, "une adresse e-mail"],
  MAP_TILES_URL: [
    tilesTemplate,
    "l'adresse d'une tuile, avec {z}, {x} et {y} chacun une fois après le nom du serveur, par exemple https://tuiles.exemple.fr/{z}/{x}/{y}.png",
  ],
  MAP_ATTRIBUTION: [text, "les auteurs du fond de plan, tels que sa licence demande de les dire"],
  MAP_ATTRIBUTION_URL: [address(/^https$/), "une adresse https://"],
  MAP_MAX_ZOOM: [whole(10, 22), "le niveau le plus proche du fond de plan, de 10 à 22"],
  ISSUER_FILE: [text, "un fichier JSON qui dit qui émet les factures"],
  LOG_LEVEL: [z.enum(logLevels), `un niveau parmi ${logLevels.join(", ")}`],
  CHECK_ANSWERS: [yesOrNo, "1 ou 0"],
  TOP_UP_MIN_CENTS: [whole(1, 10_000_000), "un montant en centimes"],
  TOP_UP_MAX_CENTS: [whole(1, 10_000_000), "un montant en centimes"],
  WALLET_CAP_CENTS: [whole(1, 100_000_000), "un montant en centimes"],
  CODE_FROM_CENTS: [whole(0, 100_000_000), "un montant en centimes"],
  TOP_UP_CODE_FROM_CENTS: [whole(0, 100_000_000), "un montant en centimes"],
  WRITES_PER_MINUTE: [whole(60, 1_000_000), "un nombre d'appels de 60 à 1000000"],
} as const satisfies Record<string, readonly [z.ZodMiniType, string]>;

type Name = keyof typeof settings;

/** Whether a host name, without its port, is the loopback. */
export const isLoopbackName = (name: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i.test(name);

/** The settings of `env`, defaults filled in; an empty variable counts as absent. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const databaseUrl = read(env, "DATABASE_URL") ?? null;
  const dataDir = read(env, "DATA_DIR") ?? ".data";
  const port = read(env, "PORT") ?? 3000;
  const host = read(env, "HOST") ?? "127.0.0.1";
  const publicUrl = (read(env, "PUBLIC_URL") ?? `http://localhost:${port}`).replace(
    /(?<!\/)\/+$/,
    "",
  );
  // Known passwords and fictitious money are a default on one's own machine only.
  const isOwnMachine = isLoopbackName(host) && isLoopbackName(new URL(publicUrl).hostname);
  const demo = read(env, "DEMO") ?? (databaseUrl === null && isOwnMachine);
  const config: Config = {
    port,
    host,
    dataDir,
    rootKey: read(env, "ROOT_KEY") ?? null,
    rootKeyFile: read(env, "ROOT_KEY_FILE") ?? join(dataDir, "root.key"),
    databaseUrl,
    databaseOwnerUrl: read(env, "DATABASE_OWNER_URL") ?? null,
    databaseDirectUrl: read(env, "DATABASE_DIRECT_URL") ?? null,
    databaseReadUrl: read(env, "DATABASE_READ_URL") ?? null,
    poolSize: read(env, "POOL_SIZE") ?? 20,
    demo,
    payments: read(env, "PAYMENTS") ?? (demo ? "sandbox" : "none"),
    stripe: stripeSettings(env),
    map: mapSettings(env, publicUrl),
    metricsToken: read(env, "METRICS_TOKEN") ?? null,
    publicUrl,
    trustedProxies: read(env, "TRUST_PROXY") ?? trustNobody,
    smtpUrl: read(env, "SMTP_URL") ?? null,
    mailFrom: read(env, "MAIL_FROM") ?? "Ma carte <ne-pas-repondre@localhost>",
    smsUrl: read(env, "SMS_URL") ?? null,
    supportPhone: read(env, "SUPPORT_PHONE") ?? (demo ? "01 99 00 00 00" : null),
    supportEmail: read(env, "SUPPORT_EMAIL") ?? null,
    issuer: issuerOf(read(env, "ISSUER_FILE")) ?? (demo ? demoIssuer : null),
    logLevel: read(env, "LOG_LEVEL") ?? "info",
    checkAnswers: read(env, "CHECK_ANSWERS") ?? false,
    topUpMinCents: read(env, "TOP_UP_MIN_CENTS") ?? money.topUpMinCents,
    topUpMaxCents: read(env, "TOP_UP_MAX_CENTS") ?? money.topUpMaxCents,
    walletCapCents: read(env, "WALLET_CAP_CENTS") ?? money.walletCapCents,
    codeFromCents: read(env, "CODE_FROM_CENTS") ?? money.codeFromCents,
    topUpCodeFromCents: read(env, "TOP_UP_CODE_FROM_CENTS") ?? money.topUpCodeFromCents,
    writesPerMinute: read(env, "WRITES_PER_MINUTE") ?? 300,
  };
  requireConsistentSettings(config);
  return config;
}

function read<N extends Name>(
  env: NodeJS.ProcessEnv,
  name: N,
): z.output<(typeof settings)[N][0]> | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  const [schema, expected] = settings[name];
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data as z.output<(typeof settings)[N][0]>;
  // Addresses may contain a password: their value is not printed, nor that of keys.
  const said = /_(URL|KEY|SECRET|TOKEN)$/.test(name)
    ? ""
    : ` («\u00a0${value.slice(0, 80)}\u00a0»)`;
  throw new StartProblem(
    `Le réglage ${name}${said} n'est pas valable : ${expected}.`,
    exitCodes.badSetting,
  );
}

function issuerOf(path: string | undefined): Issuer | undefined {
  if (path === undefined) return undefined;
  try {
    return readIssuer(path);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new StartProblem(
      `Le réglage ISSUER_FILE («\u00a0${path.slice(0, 80)}\u00a0») n'est pas valable : ${why}.`,
      exitCodes.badSetting,
    );
  }
}

function stripeSettings(env: NodeJS.ProcessEnv): StripeSettings | null {
  const secretKey = read(env, "STRIPE_SECRET_KEY");
  const webhookSecret = read(env, "STRIPE_WEBHOOK_SECRET");
  const apiUrl = read(env, "STRIPE_API_URL") ?? null;
  if (secretKey && webhookSecret) return { secretKey, webhookSecret, apiUrl };
  if (!secretKey && !webhookSecret && read(env, "PAYMENTS") !== "stripe") return null;
  const missing = [
    ...(secretKey ? [] : ["STRIPE_SECRET_KEY"]),
    ...(webhookSecret ? [] : ["STRIPE_WEBHOOK_SECRET"]),
  ].join(" et ");
  throw new StartProblem(
    `Les paiements par Stripe demandent aussi ${missing} : sans cela, aucun ne peut être vérifié.`,
    exitCodes.badSetting,
  );
}

function mapSettings(env: NodeJS.ProcessEnv, publicUrl: string): MapSettings | null {
  const tilesUrl = read(env, "MAP_TILES_URL");
  const attribution = read(env, "MAP_ATTRIBUTION");
  const attributionUrl = read(env, "MAP_ATTRIBUTION_URL") ?? null;
  const maxZoom = read(env, "MAP_MAX_ZOOM");
  if (tilesUrl === undefined) {
    if (attribution === undefined && attributionUrl === null && maxZoom === undefined) return null;
    throw new StartProblem(
      "Les réglages MAP_ATTRIBUTION, MAP_ATTRIBUTION_URL et MAP_MAX_ZOOM parlent d'un fond de plan : ils demandent aussi MAP_TILES_URL.",
      exitCodes.badSetting,
    );
  }
  if (attribution === undefined)
    throw new StartProblem(
      "Le réglage MAP_TILES_URL demande aussi MAP_ATTRIBUTION : la licence d'un fond de plan, celle d'OpenStreetMap par exemple, veut que ses auteurs soient dits.",
      exitCodes.badSetting,
    );
  const { protocol, hostname, origin } = new URL(originOfTiles(tilesUrl));
  const isOwn = origin === new URL(publicUrl).origin;
  if (protocol !== "https:" && !isOwn && !isLoopbackName(hostname))
    throw new StartProblem(
      "Le réglage MAP_TILES_URL n'est pas valable : l'adresse d'un autre serveur commence par https://.",
      exitCodes.badSetting,
    );
  return { tilesUrl, attribution, attributionUrl, maxZoom: maxZoom ?? 19 };
}

function requireConsistentSettings(config: Config): void {
  if (config.databaseOwnerUrl !== null && config.databaseUrl === null)
    throw new StartProblem(
      "Le réglage DATABASE_OWNER_URL nomme le propriétaire d'une base : il demande aussi DATABASE_URL.",
      exitCodes.badSetting,
    );
  if (config.databaseDirectUrl !== null && config.databaseUrl === null)
    throw new StartProblem(
      "Le réglage DATABASE_DIRECT_URL contourne le PgBouncer de DATABASE_URL : il demande aussi celui-ci.",
      exitCodes.badSetting,
    );
  if (config.databaseReadUrl !== null && config.databaseUrl === null)
    throw new StartProblem(
      "Le réglage DATABASE_READ_URL nomme la réplique d'une base : il demande aussi DATABASE_URL.",
      exitCodes.badSetting,
    );
  const liveKey = config.payments === "stripe" && config.stripe?.secretKey.includes("_live_");
  if (liveKey && config.demo)
    throw new StartProblem(
      "La clé de STRIPE_SECRET_KEY débite de vraies cartes : la démonstration (DEMO) ne l'accepte pas.",
      exitCodes.badSetting,
    );
  if (liveKey && !config.publicUrl.startsWith("https:"))
    throw new StartProblem(
      "Avec de vrais paiements Stripe, PUBLIC_URL doit être l'adresse https:// du portail.",
      exitCodes.badSetting,
    );
  if (config.topUpMinCents > config.topUpMaxCents)
    throw new StartProblem(
      "Les réglages TOP_UP_MIN_CENTS et TOP_UP_MAX_CENTS se contredisent : le minimum dépasse le maximum.",
      exitCodes.badSetting,
    );
}
