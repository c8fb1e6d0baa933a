import { areAddressesKeyed, keyStoredAddresses } from "../../models/connect.ts";
import { loadAddressHash } from "../../operations/access/signing-keys.ts";
import { onDatabase } from "./database.ts";

// Gives the hashes of addresses that version 1.1.0 has stored a key. All processes of the service must have ended
await onDatabase(async (openRing) => {
  if (await areAddressesKeyed()) return "The hashes of addresses have a key already";
  await keyStoredAddresses(
    async () => loadAddressHash(await openRing()),
    (line) => process.stderr.write(`${line}\n`),
  );
  return "The hashes of addresses have a key now. Start the service again";
});
