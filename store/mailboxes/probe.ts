import { PROBE_BODY, probeSubject } from "../../domain/mail/header-survival.ts";
import { bandOf } from "../../domain/mailboxes/band.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";

const PROBE_EVERY_MS = MINUTE_MS;

/**
 * Stores a probe email from the mailbox to itself, in the caller's transaction, and returns the id of its send. Returns
 * null when the mailbox cannot send, or a probe was sent within the last minute.
 */
export async function storeProbe({
  workspaceId,
  _id: mailboxId,
  email,
  status,
  health,
}: Mailbox): Promise<string | null> {
  if ((status !== "CONNECTED" && status !== "PAUSED") || bandOf({ health }) === "BLOCKED") return null;
  const { OutgoingMail, Send } = scoped(workspaceId);
  const since = new Date(Date.now() - PROBE_EVERY_MS);
  if ((await OutgoingMail.findOne({ kind: "PROBE", mailboxId, createdAt: trusted({ $gt: since }) })) !== null)
    return null;
  const _id = newId("snd");
  const subject = probeSubject(_id);
  await Send.insert({
    _id,
    kind: "TEST",
    sendKey: `dns-probe/${_id}`,
    to: email,
    state: "RESERVED",
    subject,
    mailboxId,
  });
  await OutgoingMail.insert({ _id, kind: "PROBE", mailboxId, to: email, subject, ...PROBE_BODY, hasUnsubscribe: true });
  return _id;
}
