import { randomBytes, randomUUID } from "node:crypto";
import mongoose from "mongoose";
import pLimit from "p-limit";
import { keyRing } from "../../domain/access/seal.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { openGates } from "../../store/campaigns/gates.ts";
import { claim } from "../../store/sending/claim.ts";
import type { ClaimRequest } from "../../store/sending/claim-conditions.ts";
import { startDatabase } from "../rig.ts";
import { cpuMsOf } from "../system/processes.ts";
import { median, type Row, spread } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";

const MAILBOXES = 50;
const IN_FLIGHT = 8;
const ROUNDS = 5;
const CLAIMS = 1_500;

/** Measures only the claim: one transaction of seven writes, 8 at a time, all of one campaign. */
export async function run(): Promise<Row> {
  const { mongod, close } = await startDatabase();
  try {
    const { workspaceId } = await createWorkspace({ name: "Bench", email: "owner@bench.test" });
    const ring = keyRing(randomBytes(32).toString("base64"), []);
    const mailboxIds = await storeMailboxes(workspaceId, ring, 1, MAILBOXES);
    const requests = await requestsOf(workspaceId, mailboxIds, CLAIMS * (ROUNDS + 1));
    await roundOf(mongod.pid, requests.splice(0, CLAIMS));
    const rounds: Round[] = [];
    while (rounds.length < ROUNDS) rounds.push(await roundOf(mongod.pid, requests.splice(0, CLAIMS)));
    return rowOf(rounds);
  } finally {
    await close();
  }
}

interface Round {
  rate: number;
  retries: number;
  slowest: number;
  /** Processor time of one claim in milliseconds: in this process and in the database. */
  ownCpu: number;
  mongodCpu: number;
}

async function roundOf(mongodPid: number, requests: ClaimRequest[]): Promise<Round> {
  const inFlight = pLimit(IN_FLIGHT);
  const before = await aborted();
  const [own, mongod] = [await cpuMsOf(process.pid), await cpuMsOf(mongodPid)];
  const started = performance.now();
  const took = await Promise.all(requests.map((request) => inFlight(() => timed(request))));
  const seconds = (performance.now() - started) / 1000;
  const retries = (await aborted()) - before;
  return {
    rate: requests.length / seconds,
    retries: retries / requests.length,
    slowest: Math.max(...took),
    ownCpu: ((await cpuMsOf(process.pid)) - own) / requests.length,
    mongodCpu: ((await cpuMsOf(mongodPid)) - mongod) / requests.length,
  };
}

async function timed(request: ClaimRequest): Promise<number> {
  const started = performance.now();
  const { kind } = await claim(request);
  if (kind !== "claimed") throw new Error(`A claim was answered with ${kind}`);
  return performance.now() - started;
}

/** The number of transactions that the database has aborted; each of them is retried. */
async function aborted(): Promise<number> {
  const status = await mongoose.connection.db?.admin().command({ serverStatus: 1 });
  return Number(status?.["transactions"].totalAborted);
}

/**
 * Creates sends that are due, spread over the mailboxes. A mailbox sends one email at a time, so no two claims compete
 * for a mailbox.
 */
async function requestsOf(workspaceId: string, mailboxIds: string[], count: number): Promise<ClaimRequest[]> {
  const { Campaign, Mailbox, Recipient, Send } = scoped(workspaceId);
  const campaignId = await storeCampaign(workspaceId, { recipients: count, mailboxIds });
  await inTransaction(() => openGates(workspaceId, campaignId));
  await Recipient.updateMany({ campaignId }, { $set: { nextStepId: "stp_0" } });
  const campaign = await Campaign.get(campaignId);
  const mailboxes = await Mailbox.find({});
  const recipients: Recipient[] = [];
  for await (const recipient of Recipient.stream({ campaignId })) recipients.push(recipient);
  const pattern = await Send.insert({
    _id: newId("snd"),
    to: "pattern@people.test",
    campaignId,
    stepId: "stp_0",
    slotAt: new Date(),
  });
  const sends = recipients.map(({ _id, email }, index) => {
    const mailbox = mailboxes[index % mailboxes.length];
    return { ...pattern, _id: newId("snd"), recipientId: _id, to: email, mailboxId: mailbox?._id ?? null };
  });
  for (let start = 0; start < sends.length; start += 1_000)
    await Send.bulk(sends.slice(start, start + 1_000).map((insert) => ({ insert })));
  return sends.map((send, index) => {
    const [mailbox, recipient] = [mailboxes[index % mailboxes.length], recipients[index]];
    if (mailbox === undefined || recipient === undefined) throw new Error("The rig has no mailboxes");
    const settings = settingsOf(campaign?.settings ?? {});
    const mail = {
      messageId: `<${send._id}@bench.test>`,
      bytesHash: "0",
      mailRef: send._id,
      subject: "A question",
      content: { text: "Is this of use to you?", html: null },
      tracking: null,
      variantId: "var_0",
    };
    return {
      send,
      mailbox,
      campaign: { campaignId, fence: 1, settings, shard: recipient.shard },
      attemptId: randomUUID(),
      ...mail,
      checks: {},
    };
  });
}

function rowOf(rounds: Round[]): Row {
  const [rates, retries] = [rounds.map(({ rate }) => rate), rounds.map((round) => round.retries)];
  return {
    title: "Claims per second",
    how: `store/sending/claim.ts called ${CLAIMS} times a round with ${IN_FLIGHT} in flight over ${MAILBOXES} mailboxes of one campaign; retries are transactions that the database aborted. Waiting claims share the next transaction.`,
    measured: [
      {
        what: `claims per second, ${IN_FLIGHT} in flight, one campaign`,
        goal: "at least 300",
        measured: `${median(rates).toFixed(0)} (${spread(rates, 0)})`,
        met: median(rates) >= 300,
      },
      {
        what: "retries per claim",
        goal: "under 1",
        measured: `${median(retries).toFixed(2)} (${spread(retries, 2)})`,
        met: median(retries) < 1,
      },
      {
        what: "CPU time of a claim: this process, mongod",
        goal: "",
        measured: `${median(rounds.map(({ ownCpu }) => ownCpu)).toFixed(1)} ms, ${median(rounds.map(({ mongodCpu }) => mongodCpu)).toFixed(1)} ms`,
        met: null,
      },
      {
        what: "slowest claim",
        goal: "",
        measured: `${median(rounds.map(({ slowest }) => slowest)).toFixed(0)} ms`,
        met: null,
      },
    ],
  };
}
