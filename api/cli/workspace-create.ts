import { parseArgs } from "node:util";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { onDatabase } from "./database.ts";

// npm run workspace:create -- --name <name> --email <address of the owner>
await onDatabase(async () => {
  const { name, email } = parseArgs({ options: { name: { type: "string" }, email: { type: "string" } } }).values;
  if (!name || !email?.includes("@"))
    throw new Error("usage: npm run workspace:create -- --name <name> --email <address of the owner>");
  return (await createWorkspace({ name, email })).workspaceId;
});
