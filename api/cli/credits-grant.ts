import { parseArgs } from "node:util";
import { readConfig } from "../../config.ts";
import { grantByOperator } from "../../operations/billing/grant-credits.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run credits:grant -- --workspace <id> --amount <credits> --reason <why> [--once <word>]";
const MOST = 1_000_000_000;
const LONGEST_WORD = 100;

// Credits that stay until they are spent. The audit log of the workspace has the grant. What is granted under a word is
// granted once, so that a script may be run again.
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
      ? `${credits} credits for ${workspace}; it has now\n`
      : `Granted under ${once} before; ${workspace} has now\n`,
  );
  return String(balance);
});
