import { parseArgs } from "node:util";
import { readAddress } from "../../domain/values/address.ts";
import { eraseProspects, findOneAtAddress } from "../../store/privacy/prospects.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run prospects:erase -- --email <address> [--id <prospect>]...";

// Deletes a person from the data set of the deployment. People with other names who share the address only lose the
// address, unless they are named by their ids
await onDatabase(async () => {
  const options = { email: { type: "string" }, id: { type: "string", multiple: true } } as const;
  const { email, id = [] } = parseArgs({ options }).values;
  const address = readAddress(email ?? "")?.address;
  if (address === undefined) throw new Error(USAGE);
  const { deleted, changed } = await eraseProspects([...id, ...((await findOneAtAddress(address)) ?? [])], [address]);
  return `Deleted ${deleted}, removed the address from ${changed}. Delete the person from the imported file too`;
});
