import { MockActivityEnvironment } from "@temporalio/testing";
import { pino } from "pino";
import { type Admitted, admit } from "../../activities/campaigns/admit.ts";
import { leadProviders } from "../../activities/campaigns/lead-providers.ts";
import { createRecords } from "../../connectors/net/records.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { CampaignIds } from "../../domain/workflow-contract.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { World } from "../support/world.ts";
import { ALWAYS, storedMailbox, writeOwnText } from "./campaign-parts.ts";

const unconfigured = leadProviders({
  egress: createRecords(),
  providers: NO_PROVIDERS,
  log: pino({ level: "silent" }),
});

/** A launched campaign without gaps, whose admission rounds the test makes itself. */
export async function campaignOf(
  world: World,
  leads: Record<string, Partial<Lead>>,
  settings: object,
  mailboxes: Partial<Mailbox>[] = [{}],
  rounds = unconfigured,
) {
  const { rest, workspaceId } = await world.workspace();
  const stored = await Promise.all(mailboxes.map((mailbox) => storedMailbox(workspaceId, mailbox)));
  const { body } = await rest.post("/campaigns", { name: "Rounds" });
  const path = `/campaigns/${body.id}`;
  await writeOwnText(workspaceId, body.id);
  const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };
  await rest.patch(`${path}/settings`, { ...quick, mailboxIds: stored.map(({ _id }) => _id), ...settings });
  for (const [email, fields] of Object.entries(leads)) {
    await rest.post("/leads", { email });
    await scoped(workspaceId).Lead.updateOne({ email }, { $set: fields });
  }
  await rest.post(`${path}/recipients`, { action: "addManual", emails: Object.keys(leads) });
  await rest.post(`${path}/control`, { action: "launch" });
  const ids: CampaignIds = { v: 1, workspaceId, campaignId: body.id };
  const client = world.temporal?.client;
  const round = () =>
    new MockActivityEnvironment({}, { ...(client && { client }) }).run<[], Admitted, () => Promise<Admitted>>(() =>
      admit(ids, rounds()),
    );
  const { Recipient } = scoped(workspaceId);
  const admitted = async () =>
    (await Recipient.find({ campaignId: body.id })).filter(({ admittedAt }) => admittedAt !== null);
  const emails = async () => (await admitted()).map(({ email }) => email).sort();
  return { rest, workspaceId, path, campaignId: body.id as string, mailboxes: stored, round, admitted, emails };
}
