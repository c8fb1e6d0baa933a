import { parseArgs } from "node:util";
import { readConfig } from "../../config.ts";
import type { KeyRing } from "../../domain/access/seal.ts";
import { firstLink } from "../../operations/access/first-start.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { findByAddress, isUnclaimed } from "../../operations/sign-in/people.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run user:link -- --email <address> [--keep-second-factor]";

/**
 * Prints a link with which a person chooses a new password. It works once, within a day, and also removes the second
 * factor unless `--keep-second-factor` is set. Without an address it prints the link of the first start, until the
 * first sign-in.
 */
await onDatabase(async (openRing) => {
  const options = { email: { type: "string" }, "keep-second-factor": { type: "boolean" } } as const;
  const { email, "keep-second-factor": isKept = false } = parseArgs({ options }).values;
  const token = email === undefined ? await shownFirst(await openRing()) : await madeFor(email, isKept);
  return `${readConfig().PUBLIC_URL}/sign-in/${token}`;
});

async function shownFirst(ring: KeyRing): Promise<string> {
  if (!(await isUnclaimed())) throw new Error(USAGE);
  const { token, expiresAt } = await firstLink(ring);
  process.stderr.write(`No one has signed in yet. The first link works once, until ${expiresAt.toISOString()}:\n`);
  return token;
}

async function madeFor(email: string, isKept: boolean): Promise<string> {
  const person = await findByAddress(email);
  if (person === null) throw new Error(`There is no account with the address ${email}. ${await wayInstead()}`);
  const token = await createPersonLink(person._id, new Date(), { removesSecondFactor: !isKept });
  process.stderr.write(`The link for ${person.email} works once, within 24 hours:\n`);
  return token;
}

async function wayInstead(): Promise<string> {
  return (await isUnclaimed())
    ? "No one has signed in yet: `npm run user:link` without an address shows the first link"
    : "An invite creates an account: POST /api/v1/invites/manage";
}
