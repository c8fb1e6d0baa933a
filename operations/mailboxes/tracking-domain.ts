import { z } from "zod";
import { canonicalHost, isAddress, isLocalName } from "../../domain/access/allowed-hosts.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { isPublicSuffix } from "../../domain/mail/message.ts";
import { TRACKING_CHECK } from "../../domain/mailboxes/dns-check.ts";
import type { TrackingDomain } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { trackingCheckRun } from "../../temporal/runs.ts";
import { choice } from "../choice.ts";
import type { ServiceSettings } from "../context.ts";
import { operation } from "../operation.ts";
import { loadMailbox, mailboxId } from "./find.ts";
import { MailboxRecord, viewOf } from "./record.ts";

const scope = "mailboxes:write" as const;

const set = operation({
  summary:
    "Set the mailbox's own tracking domain: its CNAME record must point to `expectedCname`. Setting it again changes nothing",
  errors: ["HOST_NOT_ALLOWED", "MAILBOX_NOT_FOUND"],
  scope,
  effects: { CHANGES_SENDING: true },
  input: z.strictObject({
    mailboxId,
    domain: z.string().min(1).max(253).describe("Your domain, with a CNAME to this service"),
  }),
  output: MailboxRecord,
  async run({ workspaceId, services }, { mailboxId, domain }) {
    const name = ownDomainOf(services.settings, domain);
    const mailbox = await inTransaction(async () => {
      const mailbox = await loadMailbox(workspaceId, mailboxId);
      if (mailbox.trackingDomain?.domain === name) return mailbox;
      const expectedCname = hostOf(services.settings.trackUrl);
      const trackingDomain: TrackingDomain = {
        domain: name,
        status: "PENDING",
        expectedCname,
        checkedAt: null,
        error: null,
        failedChecks: 0,
      };
      await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { trackingDomain } });
      return loadMailbox(workspaceId, mailboxId);
    });
    return viewOf(mailbox);
  },
});

const verify = operation({
  summary: "Check the tracking domain now: VERIFIED, or FAILED with the reason",
  errors: ["INVALID_STATE_TRANSITION", "MAILBOX_NOT_FOUND"],
  scope,
  input: z.strictObject({ mailboxId }),
  output: MailboxRecord,
  async run({ workspaceId, services }, { mailboxId }) {
    const { trackingDomain } = await loadMailbox(workspaceId, mailboxId);
    if (trackingDomain === null) {
      const details = { from: "NONE", action: "verify" };
      throw new AppError("INVALID_STATE_TRANSITION", "This mailbox has no tracking domain to verify", details);
    }
    await services.engine.execute<void>(trackingCheckRun({ v: 1, workspaceId, mailboxId }), TRACKING_CHECK.deadlineMs);
    return viewOf(await loadMailbox(workspaceId, mailboxId));
  },
});

const detach = operation({
  summary:
    "Remove the mailbox's tracking domain: its emails use the workspace's verified one if both share a registrable domain, else are not tracked",
  errors: ["MAILBOX_NOT_FOUND"],
  scope,
  effects: { CHANGES_SENDING: true },
  input: z.strictObject({ mailboxId }),
  output: MailboxRecord,
  async run({ workspaceId }, { mailboxId }) {
    await loadMailbox(workspaceId, mailboxId);
    await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { trackingDomain: null } });
    return viewOf(await loadMailbox(workspaceId, mailboxId));
  },
});

export const trackingDomain = choice(scope, "Set, verify or detach a mailbox's own tracking domain", {
  set,
  verify,
  detach,
});

/**
 * Normalizes a custom domain.
 * @throws AppError VALIDATION_FAILED for a text that is not a domain name; HOST_NOT_ALLOWED for a shared one
 * (rules/states 6.4: never)
 */
export function ownDomainOf({ trackUrl, publicUrl }: ServiceSettings, text: string): string {
  const name = canonicalHost(text.trim());
  const labels = name?.split(".") ?? [];
  const isName = labels.length > 1 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
  if (name === undefined || !isName || isAddress(name) || name.length > 253 || /[:%]/.test(text))
    throw invalid("domain", "is not a domain name");
  if ([trackUrl, publicUrl].some((url) => hostOf(url) === name)) {
    throw new AppError(
      "HOST_NOT_ALLOWED",
      `${name} is the service's own domain: a tracking domain is the mailbox's own`,
    );
  }
  if (isPublicSuffix(name) || isLocalName(name)) {
    throw new AppError(
      "HOST_NOT_ALLOWED",
      `${name} is shared with other organisations or not known on the internet: a tracking domain must be the mailbox's own`,
    );
  }
  return name;
}

export function hostOf(url: string): string {
  return canonicalHost(new URL(url).hostname) ?? "";
}
