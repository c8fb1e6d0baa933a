import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { mailProviders, readConfig } from "../../config.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import { firstWorkspace } from "../../operations/access/workspaces.ts";
import { connectDelegated, type DelegatedOutcome, findOutcomes } from "../../operations/mailboxes/connect-delegated.ts";
import { onDatabase } from "./database.ts";

const USAGE =
  "usage: npm run mailbox:connect -- --provider <google|microsoft> [--workspace <id>] [--wait <seconds>] <address> …";
const PROVIDERS = { google: "A", microsoft: "B" } as const;
const WAIT_S = 60;

// Connects mailboxes that their organisation's admin has allowed, without their users. A running service opens each of
// them; the last line says how many could be opened.
await onDatabase(async (openRing) => {
  const options = { provider: { type: "string" }, workspace: { type: "string" }, wait: { type: "string" } } as const;
  const { values, positionals: addresses } = parseArgs({ options, allowPositionals: true });
  const provider = Object.entries(PROVIDERS).find(([name]) => name === values.provider)?.[1];
  const wait = values.wait ?? String(WAIT_S);
  if (provider === undefined || addresses.length === 0 || !/^\d{1,4}$/.test(wait)) throw new Error(USAGE);
  const workspaceId = values.workspace ?? (await firstWorkspace());
  if (workspaceId === null) throw new Error("There is no workspace yet");
  const providers = mailProviders(readConfig());
  const mailboxes = await connectDelegated(await openRing(), providers, { workspaceId, provider, addresses });
  const end = Date.now() + Number(wait) * SECOND_MS;
  let outcomes = await findOutcomes(workspaceId, mailboxes);
  while (outcomes.some(({ kind }) => kind === "WAITING") && Date.now() < end) {
    await delay(SECOND_MS);
    outcomes = await findOutcomes(workspaceId, mailboxes);
  }
  for (const outcome of outcomes) process.stderr.write(`${outcome.email}: ${textOf(outcome)}\n`);
  const open = outcomes.filter(({ kind }) => kind === "OPEN").length;
  if (open < outcomes.length) process.exitCode = 1;
  return `${open} of ${outcomes.length} mailboxes are open`;
});

function textOf(outcome: DelegatedOutcome): string {
  if (outcome.kind === "OPEN") return "open";
  return outcome.kind === "REFUSED"
    ? outcome.message
    : "saved, but no worker has opened it yet. Check that the service is running";
}
