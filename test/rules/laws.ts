/** What each room may import from the others. A path that ends in `.ts` is that file alone. */
export const ROOMS: Record<string, readonly string[]> = {
  domain: [],
  mongo: [],
  models: ["domain", "mongo"],
  connectors: ["domain"],
  temporal: ["domain", "config.ts"],
  store: ["domain", "mongo", "models"],
  operations: ["domain", "mongo", "models", "store", "temporal"],
  activities: ["domain", "mongo", "models", "store", "connectors", "temporal"],
  workflows: ["domain"],
  api: ["operations", "domain/errors.ts", "domain/scopes.ts", "runtime/log.ts"],
  mcp: [
    "operations",
    "domain/errors.ts",
    "domain/scopes.ts",
    "api/body.ts",
    "api/errors.ts",
    "api/limits.ts",
    "api/own-name.ts",
    "api/version.ts",
  ],
  console: ["domain"],
};
/** What one folder may import beyond its room: the authorization server fetches the applications' own metadata. */
export const BEYOND: Record<string, readonly string[]> = { "api/oauth": ["connectors/net"] };
/**
 * Ids know the prefixes of nouns. Workflows know how activities are called, and the console knows what the API takes
 * and answers; neither runs any of it.
 */
export const TYPES: Record<string, readonly string[]> = {
  mongo: ["domain/nouns.ts"],
  workflows: ["activities"],
  console: ["api/routes.ts"],
};
/** The files that put processes together import everything that these need. */
export const COMPOSES =
  /^(main\.ts|start\.js|runtime\/|worker\/|embedded\/|api\/main\.ts|api\/cli\/|mcp\/main\.ts|console\/build(?:-limits)?\.ts)/;

/**
 * The words of all areas, which know none of them; the ground; and the core, whose areas may know each other. All
 * others are satellites.
 */
export const LANGUAGES = ["mail", "bounces", "templates", "time", "nouns", "values", "csv", "statistics", "visibility"];
export const GROUND = ["access", "sign-in", "consents", "jobs"];
export const CORE = ["campaigns", "sequences", "recipients", "sending", "suppression", "leads", "mailboxes", "inbox"];
export const SATELLITES = [
  "webhooks",
  "warmup",
  "tracking",
  "deliverability",
  "crm",
  "verification",
  "lead-search",
  "agent",
  "analytics",
  "billing",
  "agency",
  "evidence",
  "privacy",
  "abuse",
  "system",
  "search",
];
