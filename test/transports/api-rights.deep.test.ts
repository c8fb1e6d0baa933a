import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { ACCESS_FAULTS, type AccessFault } from "../../domain/mailboxes/connection-error.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { connectMailbox } from "../../store/mailboxes/connect.ts";
import { wakeMailboxes } from "../../store/mailboxes/faults.ts";
import { mailboxSyncWorkflowId } from "../../temporal/run.ts";
import { answerWith } from "../fakes/gmail/faults.ts";
import {
  accessNotConfigured,
  dailyLimitExceeded,
  delegationDenied,
  domainPolicy,
  failedPrecondition,
  type GmailRefusal,
  insufficientScopes,
} from "../fakes/gmail/refusals.ts";
import { refuse } from "../fakes/graph/faults.ts";
import { until } from "../fakes/wait.ts";
import { ADDRESSES, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
let lift: (() => void)[] = [];
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());
afterEach(async () => {
  // A new consent leads to an email from the mailbox to itself, which must not meet the fault of the next case
  const probes = { kind: "TEST", state: trusted({ $in: ["RESERVED", "SENDING"] as const }) } as const;
  const isProbed = async () => (await scoped(here.workspaceId).Send.count(probes)) === 0;
  await until(isProbed, { deadlineMs: 45_000, what: "the mailboxes' own checks to end" });
  allow();
  // A watch that ended waits longer after each failure, and the next case needs one
  const { engine } = here.world.services;
  for (const id of Object.values(here.mailboxes)) await engine.signal(mailboxSyncWorkflowId(id), "syncNow");
}, 60_000);

/** The provider gives access again. */
function allow(): void {
  for (const end of lift) end();
  lift = [];
  here.graph.clearFaults();
}

const stored = (api: Api) => scoped(here.workspaceId).Mailbox.get(here.mailboxes[api]);
const isStatus = (api: Api, status: string) => async () => (await stored(api))?.status === status;
const arrived = (api: Api, to: string) => here.sent(api).filter((mail) => mail.to.includes(to));

/** As if the instant had come at which the mailbox tries again. */
async function triesAgain(api: Api): Promise<void> {
  await scoped(here.workspaceId).Mailbox.updateOne({ _id: here.mailboxes[api] }, { $set: { retryAt: new Date() } });
  await wakeMailboxes();
}

/** As if the user had consented again. */
async function consentsAgain(api: Api): Promise<void> {
  const email = ADDRESSES[api];
  const provider = api === "GMAIL_API" ? ("A" as const) : ("B" as const);
  const closed = { host: "localhost", port: 9, security: "SSL_TLS" as const };
  const expiresAt = new Date(Date.now() + DAY_MS);
  const grant = { provider, refreshToken: here.oauth.allow(email), accessToken: email, expiresAt };
  const proven = { email, provider: `PROVIDER${provider}` as const, transport: api, smtp: closed, imap: closed };
  await inTransaction(() =>
    connectMailbox(here.world.services.keyRing, here.workspaceId, { ...proven, login: { grant } }),
  );
}

type Case = [AccessFault, Api, (on: "create" | "send" | "read") => void];
const gmail =
  (refusal: () => GmailRefusal) =>
  (on: "create" | "send" | "read"): void => {
    const method = on === "read" ? "history.list" : `drafts.${on}`;
    lift.push(here.gmail.fault(method, answerWith(refusal), { times: Number.POSITIVE_INFINITY }));
  };
const graph =
  (code: Parameters<typeof refuse>[0]) =>
  (on: "create" | "send" | "read"): void =>
    here.graph.fault({ on: on === "read" ? "delta" : on, answer: refuse(code), standing: true });

const CASES: Case[] = [
  ["PERMISSION_MISSING", "GMAIL_API", gmail(insufficientScopes)],
  ["WRONG_ACCOUNT", "GMAIL_API", gmail(() => delegationDenied("ann@a.test"))],
  ["API_BLOCKED", "GMAIL_API", gmail(domainPolicy)],
  ["API_NOT_ENABLED", "GMAIL_API", gmail(accessNotConfigured)],
  ["NO_MAIL_SERVICE", "GMAIL_API", gmail(failedPrecondition)],
  ["CLIENT_LIMIT", "GMAIL_API", gmail(dailyLimitExceeded)],
  ["ACCESS_DENIED", "GRAPH", graph("ErrorAccessDenied")],
  ["SEND_AS_DENIED", "GRAPH", graph("ErrorSendAsDenied")],
  ["NO_MAIL_SERVICE", "GRAPH", graph("MailboxNotEnabledForRESTAPI")],
];

test.each(CASES)(
  "a mailbox whose email is refused with %s over %s is parked immediately, and after the cause is gone the waiting recipient gets the email once",
  async (fault, api, deny) => {
    const to = `waits-${fault}-${api}@people.test`.toLowerCase();
    const { needsConsent, text } = ACCESS_FAULTS[fault];
    deny(fault === "SEND_AS_DENIED" ? "send" : "create");
    const path = await here.launched(api, [to], [{ subject: "Later", body: "<p>Hello</p>", delay: 0 }]);
    const parked = needsConsent ? "RECONNECT_REQUIRED" : "SENDING_ERROR";
    await until(isStatus(api, parked), { deadlineMs: 45_000, what: "the mailbox to be parked" });
    const { body } = await here.rest.get(`/mailboxes/${here.mailboxes[api]}`);
    expect(body).toMatchObject({ statusReason: fault, lastError: { code: fault, message: text } });
    expect(await stored(api)).toMatchObject({ authFailures: 0, hostFailures: 0 });
    expect(arrived(api, to)).toEqual([]);
    allow();
    if (needsConsent) await consentsAgain(api);
    else await triesAgain(api);
    await until(() => arrived(api, to).length > 0, { deadlineMs: 100_000, what: "the email" });
    expect(arrived(api, to)).toHaveLength(1);
    expect(await stored(api)).toMatchObject({ status: "CONNECTED", statusReason: null });
    expect(await here.statusOf(path, to)).not.toBe("FAILED");
  },
  180_000,
);

test.each(CASES.filter(([fault]) => !ACCESS_FAULTS[fault].needsConsent && !/SEND_AS|LIMIT/.test(fault)))(
  "a mailbox that cannot be read because of %s over %s is parked immediately, and continues by itself once it can be read",
  async (fault, api, deny) => {
    deny("read");
    await until(isStatus(api, "SENDING_ERROR"), { deadlineMs: 45_000, what: "the mailbox to be parked" });
    expect(await stored(api)).toMatchObject({ statusReason: fault, authFailures: 0 });
    allow();
    // The workflow of the mailbox would look again by itself after a minute
    const { engine } = here.world.services;
    await engine.signal(mailboxSyncWorkflowId(here.mailboxes[api]), "syncNow");
    await until(isStatus(api, "CONNECTED"), { deadlineMs: 45_000, what: "the mailbox to continue" });
    expect(await stored(api)).toMatchObject({ statusReason: null, lastError: null });
  },
  120_000,
);

test("a used up daily quota stops every mailbox of that client, and no mailbox of another provider", async () => {
  const { Mailbox } = scoped(here.workspaceId);
  const [ann, gina] = [await stored("GMAIL_API"), await stored("GRAPH")];
  if (ann === null || gina === null) throw new Error("A mailbox is gone");
  const others = [
    await Mailbox.insert({ ...ann, _id: `${ann._id}2`, email: "amy@a.test", grantId: null, sealedPassword: null }),
    await Mailbox.insert({ ...ann, _id: `${ann._id}3`, email: "abe@a.test", grantId: null, transport: "SMTP_IMAP" }),
  ];
  gmail(dailyLimitExceeded)("read");
  await until(isStatus("GMAIL_API", "SENDING_ERROR"), { deadlineMs: 45_000, what: "the mailbox to be parked" });
  const statuses = await Promise.all([...others, gina].map(async ({ _id }) => (await Mailbox.get(_id))?.status));
  expect(statuses).toEqual(["SENDING_ERROR", "CONNECTED", "CONNECTED"]);
  for (const { _id } of others) await Mailbox.deleteOne({ _id });
  allow();
  await triesAgain("GMAIL_API");
}, 60_000);
