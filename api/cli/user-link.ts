import { parseArgs } from "node:util";
import { readConfig } from "../../config.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { findByAddress } from "../../operations/sign-in/people.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run user:link -- --email <address> [--keep-second-factor]";

// A link behind which a person chooses a new password, good once and for a day. It takes the second factor away too, unless told not to.
await onDatabase(async () => {
  const options = { email: { type: "string" }, "keep-second-factor": { type: "boolean" } } as const;
  const { email, "keep-second-factor": isKept = false } = parseArgs({ options }).values;
  if (email === undefined) throw new Error(USAGE);
  const person = await findByAddress(email);
  if (person === null) throw new Error(`Nobody has the address ${email}. An invite makes an account: POST /api/v1/invites/manage`);
  const token = await createPersonLink(person._id, new Date(), { removesSecondFactor: !isKept });
  process.stderr.write(`For ${person.email}, good once and for 24 hours:\n`);
  return `${readConfig().PUBLIC_URL}/sign-in/${token}`;
});
