import { patched, proxyActivities } from "@temporalio/workflow";
import type { ProbeActivities } from "../activities/mailboxes/dkim-probe.ts";
import type { DnsActivities } from "../activities/mailboxes/dns.ts";
import type { SingleSendActivities } from "../activities/sending/one-off.ts";
import {
  DNS_CHECK,
  type DnsCheckIds,
  PROBE,
  TRACKING_CHECK,
  type TrackingCheckIds,
  type WorkspaceDomainIds,
} from "../domain/mailboxes/dns-check.ts";
import { sendUntilSettled } from "./settled.ts";

const retry = { initialInterval: "2s", maximumAttempts: 3 };
const { checkMailboxDns } = proxyActivities<DnsActivities>({ ...DNS_CHECK, taskQueue: "jobs", retry });
const { lookAtTrackingDomain } = proxyActivities<DnsActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: TRACKING_CHECK.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});
const { checkAllDns } = proxyActivities<DnsActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "4h",
  heartbeatTimeout: "2m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
});
const { sendOnce } = proxyActivities<SingleSendActivities>({
  taskQueue: "smtp",
  ...PROBE.send,
  retry: { maximumAttempts: 1 },
});
const { readProbe } = proxyActivities<ProbeActivities>({
  taskQueue: "imap",
  ...PROBE.read,
  retry: { maximumAttempts: 1 },
});

/** Checks the DNS records of a mailbox. The signature on a probe email shows which DKIM key to look for. */
export async function verifyMailboxDns(ids: DnsCheckIds): Promise<void> {
  await Promise.all([checkMailboxDns(ids), probe(ids)]);
}

/**
 * Sends a probe email and checks again once it arrives. If it does not arrive, that proves nothing about the DNS
 * records.
 */
async function probe(ids: DnsCheckIds): Promise<void> {
  const { workspaceId, probeId: sendId } = ids;
  if (sendId === null) return;
  try {
    const attempt = () => sendOnce({ v: 1, workspaceId, sendId });
    let sent = await attempt();
    if (sent.kind === "later" && patched("probe-waits")) sent = await sendUntilSettled(attempt);
    if (sent.kind !== "sent" || !(await readProbe(ids))) return;
  } catch {
    return;
  }
  await checkMailboxDns(ids);
}

/** Checks a tracking domain once, while a caller waits. */
export async function checkTrackingDomain(ids: TrackingCheckIds | WorkspaceDomainIds): Promise<void> {
  await lookAtTrackingDomain(ids);
}

/** Checks all sending and tracking domains, once a day. */
export async function dailyDnsChecks(): Promise<{ checked: number }> {
  return checkAllDns();
}
