import { parseArgs } from "node:util";
import { updateByOperator } from "../../operations/access/workspace.ts";
import { firstWorkspace } from "../../operations/access/workspaces.ts";
import { onDatabase } from "./database.ts";

const USAGE =
  "usage: npm run workspace:update -- [--id <id>] [--name <name>] [--postal-address <address, or none>] [--timezone <zone>] [--currency <code>]";

// The default workspace is the first one. \n in the postal address starts a new line.
await onDatabase(async () => {
  const options = {
    id: { type: "string" },
    name: { type: "string" },
    "postal-address": { type: "string" },
    timezone: { type: "string" },
    currency: { type: "string" },
  } as const;
  const { id, name, timezone, currency, "postal-address": address } = parseArgs({ options }).values;
  const patch = {
    ...(name !== undefined && { name }),
    ...(address !== undefined && { postalAddress: address === "none" ? null : address.replaceAll("\\n", "\n") }),
    ...(timezone !== undefined && { timezone }),
    ...(currency !== undefined && { defaults: { currency } }),
  };
  if (Object.keys(patch).length === 0) throw new Error(USAGE);
  const workspaceId = id ?? (await firstWorkspace());
  if (workspaceId === null)
    throw new Error(
      "There is no workspace yet. Create one: npm run workspace:create -- --name <name> --email <address>",
    );
  await updateByOperator(workspaceId, patch);
  return workspaceId;
});
