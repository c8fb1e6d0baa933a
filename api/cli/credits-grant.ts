import { parseArgs } from "node:util";
import { readConfig } from "../../config.ts";
import { grantByOperator } from "../../operations/billing/grant-credits.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run credits:grant -- --workspace <id> --amount <credits> --reason <why> [--once <word>]";
const MOST = 1_000_000_000;
const LONGEST_WORD = 100;

// Grants credits that stay until they are spent, and records the grant in the audit log of the workspace. The command
// grants once for each `--once` word, so a script can run again.
await onDatabase(async () => {
  const options = {
    workspace: { type: "string" },
    amount: { type: "string" },
    reason: { type: "string" },
    once: { type: "string" },
  } as const;
  const { workspace, amount = "", reason = "", once } = parseArgs({ options }).values;
  const credits = /^\d+$/.test(amount) ? Number(amount) : 0;
  if (workspace === undefined || credits < 1 || credits > MOST || reason.trim() === "") throw new Error(USAGE);
  if (once !== undefined && (once === "" || once.length > LONGEST_WORD)) throw new Error(USAGE);
  const { balance, isNew } = await grantByOperator(
    workspace,
    { amount: credits, reason: reason.trim().slice(0, 200), ...(once !== undefined && { once }) },
    readConfig().CREDITS_PER_MONTH,
  );
  process.stderr.write(
    isNew
      ? `Granted ${credits} credits to ${workspace}. Its balance:\n`
      : `These credits were granted before, with the key ${once}. The balance of ${workspace}:\n`,
  );
  return String(balance);
});
