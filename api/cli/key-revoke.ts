import { parseArgs } from "node:util";
import { revokeAnywhere } from "../../operations/access/api-keys.ts";
import { onDatabase } from "./database.ts";

// npm run key:revoke -- --id <id of the key>: requests with the key fail after a second; a repeat changes nothing
await onDatabase(async () => {
  const { id } = parseArgs({ options: { id: { type: "string" } } }).values;
  if (!id) throw new Error("usage: npm run key:revoke -- --id <id of the key, from npm run key:list>");
  if (!(await revokeAnywhere(id, new Date())))
    throw new Error(`There is no key ${id}. Run npm run key:list to see the existing keys`);
  return id;
});
