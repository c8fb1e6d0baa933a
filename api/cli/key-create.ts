import { parseArgs } from "node:util";
import { ALL_SCOPES, isScope, type Scope } from "../../domain/scopes.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { findOwner, firstWorkspace } from "../../operations/access/workspaces.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run key:create -- [--workspace <id>] [--name <name>] [--scopes <scope,…>] [--expires <days>]";

// The default workspace is the first one; the default scopes are all 41.
await onDatabase(async () => {
  const options = {
    workspace: { type: "string" },
    name: { type: "string" },
    scopes: { type: "string" },
    expires: { type: "string" },
  } as const;
  const { workspace, name = "command line", scopes, expires } = parseArgs({ options }).values;
  const workspaceId = workspace ?? (await firstWorkspace());
  if (workspaceId === null) throw new Error("There is no workspace yet: npm run workspace:create -- --name <name> --email <address>");
  const createdBy = await findOwner(workspaceId);
  if (createdBy === null) throw new Error(`There is no workspace ${workspaceId}`);
  const expiresAt = expires === undefined ? null : inDays(Number(expires));
  const { id, key } = await createKey({ workspaceId, name, scopes: scopesOf(scopes), createdBy, ...(expiresAt && { expiresAt }) });
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

function inDays(days: number): Date {
  if (!(days > 0)) throw new Error(USAGE);
  return new Date(Date.now() + days * DAY_MS);
}
