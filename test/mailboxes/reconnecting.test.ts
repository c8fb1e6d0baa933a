import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { AccessFault } from "../../domain/mailboxes/connection-error.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { freeClient, parkMailbox, recoverAccess } from "../../store/mailboxes/access-faults.ts";
import { reassignLost } from "../../store/mailboxes/failover.ts";
import { endTrial, wakeMailboxes } from "../../store/mailboxes/faults.ts";
import { ALWAYS, mail, storedMailbox } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { APP_PASSWORD, browse, type ConsentWorld, EMAIL, startConsentWorld } from "./consent-world.ts";

let here: ConsentWorld;
beforeAll(async () => {
  here = await startConsentWorld();
}, 90_000);
afterAll(() => here.close(), 30_000);

/** A mailbox that cannot send, and a contacted recipient of an active campaign that waits for it. */
interface Parked {
  rest: Rest;
  workspaceId: string;
  mailbox: Mailbox;
  campaignId: string;
  recipientId: string;
}

/** `LOST`: the recipient is paused. `HELD`: it keeps its step and waits, as it does for a mailbox that recovers. */
const WAITS = {
  LOST: { status: "PAUSED", pauseReason: "MAILBOX_DISCONNECTED" },
  HELD: { status: "IN_PROGRESS", admittedAt: new Date() },
} as const;

async function parked(how: keyof typeof WAITS, fields: Partial<Mailbox>): Promise<Parked> {
  const { rest, workspaceId } = await here.world.workspace();
  const server = (port: number) => ({ host: "localhost", port, security: "SSL_TLS" as const });
  const servers = { smtp: server(here.smtp.port), imap: server(here.imap.port) };
  const mailbox = await storedMailbox(workspaceId, { email: EMAIL, username: EMAIL, ...servers, ...fields });
  const { body } = await rest.post("/campaigns", { name: "Spring" });
  const [path, campaignId] = [`/campaigns/${body.id}`, body.id as string];
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id], windows: ALWAYS });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_1", "Hello")] });
  const { Campaign, Recipient, Sequence } = scoped(workspaceId);
  await Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" } });
  const nextStepId = (await Sequence.findOne({ campaignId }))?.steps[0]?.stepId ?? "none";
  const recipientId = newId("rcp");
  const row = { campaignId, leadId: newId("led"), shard: 0, email: "waits@people.test", cid: recipientId };
  await Recipient.insert({
    _id: recipientId,
    ...row,
    nextStepId,
    sentCount: 1,
    mailboxId: mailbox._id,
    ...WAITS[how],
    awaitedMailboxId: how === "HELD" ? mailbox._id : null,
  });
  return { rest, workspaceId, mailbox, campaignId, recipientId };
}

const lost = (fault: AccessFault | "AUTH_FAILED") =>
  ({ status: "RECONNECT_REQUIRED", statusReason: fault, authFailures: 10 }) as const;
const waiting = (fault: AccessFault | "TIMEOUT") =>
  ({
    status: "SENDING_ERROR",
    statusReason: fault,
    retryAt: new Date(Date.now() + HOUR_MS),
    grantId: "grt_1",
    provider: "PROVIDERA",
  }) as const;
const isDue = { retryAt: new Date(Date.now() - 1_000) };

const byPassword = { email: EMAIL, appPassword: APP_PASSWORD };
const servers = () => ({
  smtpHost: "localhost",
  smtpPort: here.smtp.port,
  imapHost: "localhost",
  imapPort: here.imap.port,
  security: "SSL_TLS",
});

type Way = [string, keyof typeof WAITS, () => Partial<Mailbox>, (parked: Parked) => Promise<unknown>];
const consent = async ({ rest }: Parked) =>
  expect((await browse(here.oauth.consent(await here.started(rest), EMAIL))).status).toBe(200);
const connect =
  (body: object) =>
  async ({ rest }: Parked) =>
    expect(await rest.post("/mailboxes/connect", body)).toMatchObject({ status: 200 });
const resume = async ({ rest, mailbox }: Parked) =>
  expect(await rest.post("/mailboxes/manage", { action: "resume", mailboxId: mailbox._id })).toMatchObject({
    status: 200,
  });

const WAYS: Way[] = [
  ["a new consent, after the old one ended", "LOST", () => lost("TOKEN_REVOKED"), consent],
  ["a new consent, while the mailbox waits for the operator", "HELD", () => waiting("CLIENT_REFUSED"), consent],
  [
    "an app password at a known provider",
    "LOST",
    () => lost("AUTH_FAILED"),
    connect({ action: "providerAAppPassword", providerA: byPassword }),
  ],
  [
    "a new password at its own servers",
    "LOST",
    () => lost("AUTH_FAILED"),
    (one) =>
      connect({
        action: "smtpConnect",
        credentials: { email: EMAIL, password: APP_PASSWORD, ...servers() },
      })(one),
  ],
  [
    "a new password after a disconnection",
    "LOST",
    () => ({ status: "DISCONNECTED" }),
    connect({ action: "providerAAppPassword", providerA: byPassword }),
  ],
  ["a person who resumes it", "HELD", () => waiting("ACCESS_DENIED"), resume],
  ["a person who resumes it from a pause", "HELD", () => ({ status: "PAUSED" }), resume],
  ["the time at which it tries again", "HELD", () => ({ ...waiting("ACCESS_DENIED"), ...isDue }), wakeMailboxes],
  ["the end of its circuit breaker", "HELD", () => ({ ...waiting("TIMEOUT"), ...isDue }), wakeMailboxes],
  ["the end of its cool-down", "HELD", () => ({ status: "COOLING_DOWN", ...isDue }), wakeMailboxes],
  ["a first look that succeeds again", "HELD", () => waiting("API_BLOCKED"), ({ mailbox }) => recoverAccess(mailbox)],
  [
    "a token that the provider gives to another mailbox",
    "HELD",
    () => waiting("CLIENT_REFUSED"),
    async () => {
      await freeClient("A");
      await wakeMailboxes();
    },
  ],
  [
    "the end of a trial period",
    "HELD",
    () => ({ trial: { refusedBy: ["x.test"], restsUntil: new Date() } }),
    ({ mailbox }) => endTrial(mailbox),
  ],
  [
    "another mailbox that takes over",
    "LOST",
    () => lost("PASSWORD_CHANGED"),
    async ({ workspaceId, campaignId, recipientId }) => {
      const { Campaign, Recipient, Sequence } = scoped(workspaceId);
      const other = await storedMailbox(workspaceId);
      const campaign = await Campaign.get(campaignId);
      const sequence = await Sequence.findOne({ campaignId });
      if (campaign === null || sequence === null) throw new Error("The campaign is gone");
      const settings = { ...settingsOf(campaign.settings), mailboxFailoverAfterHours: 0 };
      const both = { ...settings, mailboxIds: [...settings.mailboxIds, other._id] };
      expect(await reassignLost(campaign, both, sequence.steps)).toBe(1);
      expect((await Recipient.get(recipientId))?.mailboxId).toBe(other._id);
    },
  ],
];

test.each(WAYS)(
  "a recipient that waits for its mailbox is woken by %s",
  async (_what, how, fields, act) => {
    const one = await parked(how, fields());
    const { Recipient } = scoped(one.workspaceId);
    const isWoken = ({ status, awaitedMailboxId }: Pick<Recipient, "status" | "awaitedMailboxId">) =>
      status !== "PAUSED" && awaitedMailboxId === null;
    const now = () => Recipient.get(one.recipientId);
    const before = await now();
    expect(before !== null && isWoken(before)).toBe(false);
    await act(one);
    const after = async () => {
      const recipient = await now();
      return recipient !== null && isWoken(recipient);
    };
    await until(after, { deadlineMs: 30_000, what: "the recipient to be woken" });
    await scoped(one.workspaceId).Mailbox.deleteMany({});
  },
  60_000,
);

test("a fault of an earlier consent does not park a mailbox that was connected again meanwhile", async () => {
  const { workspaceId, mailbox } = await parked("HELD", { grantId: "grt_old", provider: "PROVIDERA" });
  const { Mailbox } = scoped(workspaceId);
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { grantId: "grt_new" } });
  for (const fault of ["PERMISSION_MISSING", "ACCESS_DENIED"] as const) await parkMailbox(mailbox, fault);
  expect(await Mailbox.get(mailbox._id)).toMatchObject({ status: "CONNECTED", statusReason: null, lastError: null });
  await Mailbox.deleteMany({});
});
