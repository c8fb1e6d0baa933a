import { type DmarcFacts, judgeDmarc } from "../../domain/deliverability/dmarc.ts";
import { judgeSpf, type SpfFacts } from "../../domain/deliverability/spf.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { saveCheck } from "../../store/deliverability/checks.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { healthIn, tellFacts } from "../mailboxes/health-parts.ts";

const NO_SPF: SpfFacts = { records: [], result: "none", error: null, lookups: 0, voids: 0, isCounted: true, costs: [], read: [] };
const NO_DMARC: DmarcFacts = { record: null, policyDomain: null, policy: "none", reportsTo: [], refusing: [] };

/** Mailboxes in several states, as they stand after some days of work, to be looked at. Returns the one with most to see. */
export async function showMailboxes(workspaceId: string): Promise<string> {
  const at = new Date(Date.now() - HOUR_MS);
  const fault = (code: string, message: string) => ({ code, message, at });
  const nora = await storedMailbox(workspaceId, {
    email: "nora@harborview.test",
    name: "Nora Lind",
    dailySendLimit: 50,
    health: healthIn("THROTTLED", { numerator: 4, denominator: 120, threshold: 0.03, score: 74 }),
    verification: { status: "FAILED", checks: { mx: "PASS", spf: "FAIL", dkim: "UNKNOWN", dmarc: "FAIL" }, checkedAt: at },
    lastSyncAt: at,
  });
  await tellFacts(workspaceId, nora._id, { sent: 18 });
  await storedMailbox(workspaceId, {
    email: "sam@harborview.test",
    status: "RECONNECT_REQUIRED",
    statusReason: "AUTH_FAILED",
    lastError: fault("AUTH_FAILED", "The server refused the user name or the password"),
  });
  await storedMailbox(workspaceId, {
    email: "ida@harborview.test",
    status: "COOLING_DOWN",
    statusReason: "421",
    lastError: fault("421", "The server refused mail from this mailbox"),
  });
  await storedMailbox(workspaceId, { email: "ole@harborview.test", status: "PAUSED" });
  const change = { from: "HEALTHY", to: "THROTTLED", fromStep: null, step: 75, until: null, by: "FACTS" } as const;
  const why = { measure: "BOUNCE_RATE", numerator: 4, denominator: 120, threshold: 0.03 } as const;
  await scoped(workspaceId).MailboxHealthChange.insert({ _id: newId("chg"), mailboxId: nora._id, at, actor: null, ...change, ...why });
  const findings = [
    judgeSpf("harborview.test", NO_SPF, ["mail.example.test"]),
    judgeDmarc("harborview.test", NO_DMARC, null, "harborview.test"),
  ];
  await saveCheck(workspaceId, "harborview.test", { findings, listings: [], isAligned: null }, at);
  return nora._id;
}
