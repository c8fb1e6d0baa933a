import { bandOf } from "../../domain/mailboxes/band.ts";
import type { WarmupStatus } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadGround, type WarmupGround } from "./ground.ts";
import { endWarmup } from "./room.ts";
import { missPlanned } from "./settle.ts";

const LOST: readonly Mailbox["status"][] = ["RECONNECT_REQUIRED", "DISCONNECTED"];

/**
 * Updates a warmup after its mailbox has changed (rules/warmup 1.3). While the mailbox is disconnected, the warmup
 * waits; while it is blocked, the warmup is suspended. Both continue automatically. Null when there is no warmup any
 * more.
 */
export async function refreshWarmup(workspaceId: string, mailboxId: string): Promise<WarmupGround | null> {
  const ground = await loadGround(workspaceId, mailboxId);
  // The usual case
  if (ground !== null && statusBy(ground.enrolment.status, ground.mailbox) === ground.enrolment.status) return ground;
  return inTransaction(async () => {
    const { Mailbox, WarmupEnrolment } = scoped(workspaceId);
    const enrolment = await WarmupEnrolment.get(mailboxId);
    const mailbox = await Mailbox.get(mailboxId);
    if (enrolment === null) return null;
    if (mailbox === null) {
      await missPlanned(workspaceId, mailboxId);
      await WarmupEnrolment.deleteOne({ _id: mailboxId });
      return null;
    }
    const to = statusBy(enrolment.status, mailbox);
    if (to !== enrolment.status) {
      const again = to === "ACTIVE" ? { replanAt: new Date() } : {};
      const statusReason = reasonFor(to, mailbox);
      await WarmupEnrolment.updateOne(
        { _id: mailboxId, status: enrolment.status },
        { $set: { status: to, statusReason, ...again } },
      );
      if (to !== "ACTIVE") await endWarmup(workspaceId, mailboxId);
    }
    return loadGround(workspaceId, mailboxId);
  });
}

function statusBy(status: WarmupStatus, mailbox: Mailbox): WarmupStatus {
  if (status === "PAUSED" || status === "STOPPED") return status;
  if (LOST.includes(mailbox.status)) return "RECONNECT_REQUIRED";
  return bandOf(mailbox) === "BLOCKED" ? "SUSPENDED" : "ACTIVE";
}

function reasonFor(status: WarmupStatus, mailbox: Mailbox): string | null {
  if (status === "ACTIVE") return null;
  if (status === "SUSPENDED") return "BLOCKED";
  return mailbox.statusReason ?? mailbox.status;
}
