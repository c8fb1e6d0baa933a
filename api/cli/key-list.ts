import { parseArgs } from "node:util";
import { type KeyListed, listKeys } from "../../operations/access/api-keys.ts";
import { onDatabase } from "./database.ts";

const COLUMNS = ["id", "workspace", "name", "scopes", "created", "expires", "last used", "revoked"];

// Prints one line per key, separated by tabs, for one workspace or for all
await onDatabase(async () => {
  const { workspace } = parseArgs({ options: { workspace: { type: "string" } } }).values;
  const keys = await listKeys(workspace ?? null);
  return [COLUMNS, ...keys.map(cellsOf)].map((cells) => cells.join("\t")).join("\n");
});

function cellsOf({ _id, workspaceId, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: KeyListed): string[] {
  const times = [createdAt, expiresAt, lastUsedAt, revokedAt].map((at) => at?.toISOString() ?? "never");
  return [_id, workspaceId, JSON.stringify(name), scopes.join(","), ...times]; // a name may contain a tab or a line break
}
