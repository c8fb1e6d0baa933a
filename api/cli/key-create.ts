import { parseArgs } from "node:util";
import { KEY_POLICY, Policy, policyOf, WAYS } from "../../domain/access/policy.ts";
import { ALL_SCOPES, isScope, type Scope } from "../../domain/scopes.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { findOwner, firstWorkspace } from "../../operations/access/workspaces.ts";
import { onDatabase } from "./database.ts";

const USAGE =
  "usage: npm run key:create -- [--workspace <id>] [--name <name>] [--scopes <scope,…>] [--expires <days>]\n" +
  "  [--sends <way>] [--changes-sending <way>] [--discloses <way>] [--destroys <way>], each way DIRECT, PLAN, APPROVAL or NONE;\n" +
  "  --sends also sets --changes-sending; --sends NONE also sets --discloses APPROVAL and --destroys PLAN;\n" +
  "  an option that you give takes precedence\n" +
  "  [--daily-send-budget <emails>] [--undo-seconds <0 to 300>]";

// The default workspace is the first one; the default scopes are all 41.
await onDatabase(async () => {
  const options = {
    workspace: { type: "string" },
    name: { type: "string" },
    scopes: { type: "string" },
    expires: { type: "string" },
    sends: { type: "string" },
    "changes-sending": { type: "string" },
    discloses: { type: "string" },
    destroys: { type: "string" },
    "daily-send-budget": { type: "string" },
    "undo-seconds": { type: "string" },
  } as const;
  const { workspace, name = "command line", scopes, expires, ...sending } = parseArgs({ options }).values;
  const policy = policyIn(sending);
  const workspaceId = workspace ?? (await firstWorkspace());
  if (workspaceId === null)
    throw new Error(
      "There is no workspace yet. Create one: npm run workspace:create -- --name <name> --email <address>",
    );
  const createdBy = await findOwner(workspaceId);
  if (createdBy === null) throw new Error(`There is no workspace ${workspaceId}`);
  const expiresAt = expires === undefined ? null : inDays(Number(expires));
  const { id, key } = await createKey({
    workspaceId,
    name,
    scopes: scopesOf(scopes),
    createdBy,
    policy,
    ...(expiresAt && { expiresAt }),
  });
  process.stderr.write(`${id} ${expiresAt === null ? "never expires" : `expires at ${expiresAt.toISOString()}`}\n`);
  return key;
});

function scopesOf(text: string | undefined): Scope[] {
  if (text === undefined) return ALL_SCOPES;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) throw new Error(`Unknown scopes: ${unknown.join(", ")}\n${USAGE}`);
  return names.filter(isScope);
}

interface Named {
  sends?: string;
  "changes-sending"?: string;
  discloses?: string;
  destroys?: string;
  "daily-send-budget"?: string;
  "undo-seconds"?: string;
}

/** Builds the policy from the options. A missing option gets the default of new keys. */
function policyIn(named: Named): Policy {
  const {
    sends,
    "changes-sending": changes,
    discloses,
    destroys,
    "daily-send-budget": budget,
    "undo-seconds": undo,
  } = named;
  const way = WAYS.find((one) => one === sends);
  if (sends !== undefined && way === undefined) throw new Error(USAGE);
  const asked = {
    ...(way !== undefined && policyOf(way)),
    ...(changes !== undefined && { CHANGES_SENDING: changes }),
    ...(discloses !== undefined && { DISCLOSES: discloses }),
    ...(destroys !== undefined && { DESTROYS: destroys }),
    ...(budget !== undefined && { dailySendBudget: numberOf(budget) }),
    ...(undo !== undefined && { undoSeconds: numberOf(undo) }),
  };
  const policy = Policy.safeParse({ ...KEY_POLICY, ...asked });
  if (!policy.success) throw new Error(USAGE);
  return policy.data;
}

/** Accepts digits only: `Number("")` would return 0. */
function numberOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function inDays(days: number): Date {
  if (!(days > 0)) throw new Error(USAGE);
  return new Date(Date.now() + days * DAY_MS);
}
