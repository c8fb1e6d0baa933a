import { parseArgs } from "node:util";
import { readConfig } from "../../config.ts";
import { grantByOperator } from "../../operations/billing/grant-credits.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run credits:grant -- --workspace <id> --amount <credits> --reason <why>";
const MOST = 1_000_000_000;

// Credits that stay until they are spent. The audit log of the workspace has the grant.
await onDatabase(async () => {
  const options = { workspace: { type: "string" }, amount: { type: "string" }, reason: { type: "string" } } as const;
  const { workspace, amount = "", reason = "" } = parseArgs({ options }).values;
  const credits = /^\d+$/.test(amount) ? Number(amount) : 0;
  if (workspace === undefined || credits < 1 || credits > MOST || reason.trim() === "") throw new Error(USAGE);
  const balance = await grantByOperator(
    workspace,
    { amount: credits, reason: reason.trim().slice(0, 200) },
    readConfig().CREDITS_PER_MONTH,
  );
  process.stderr.write(`${credits} credits for ${workspace}; it has now\n`);
  return String(balance);
});
