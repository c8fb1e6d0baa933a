import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { isSelective } from "../../domain/mailboxes/refusal-evidence.ts";
import { restFactsOf } from "../../domain/mailboxes/rest-facts.ts";
import type { MailboxStatus } from "../../domain/states.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { setHealthy } from "../../store/mailboxes/health.ts";
import { choice } from "../choice.ts";
import { changing, ids, tag } from "../fields.ts";
import { operation } from "../operation.ts";
import { forEachMailbox, ONE_OR_SEVERAL, OneOrBulk, which } from "./bulk.ts";
import { changesOf, freesSending, Patch } from "./fields.ts";
import { mailboxId } from "./find.ts";

const scope = "mailboxes:write" as const;
const output = OneOrBulk;

const pause = operation({
  summary:
    "Send no campaign or warmup email from these mailboxes; replies are still read. Takes effect before the call returns",
  errors: ["INVALID_STATE_TRANSITION", "MAILBOX_NOT_FOUND"],
  scope,
  stops: true,
  input: z.strictObject(which),
  needsOneOf: ONE_OR_SEVERAL,
  output,
  async run({ workspaceId }, asked) {
    return forEachMailbox(workspaceId, asked, {
      fieldsOf: (mailbox) => moved(mailbox, "CONNECTED", "PAUSED", "pause"),
      stops: true,
    });
  },
});

const resume = operation({
  summary:
    "Resume mailboxes that are paused or cooling down, and sending to providers that refused them. `health.overridden` shows the overridden evidence, which no longer counts; new refusals act as before",
  errors: ["INVALID_STATE_TRANSITION", "MAILBOX_NOT_FOUND"],
  audits: "mailboxes.resume",
  scope,
  effects: { SENDS: true },
  input: z.strictObject(which),
  needsOneOf: ONE_OR_SEVERAL,
  output,
  async run({ workspaceId }, asked) {
    return forEachMailbox(workspaceId, asked, {
      fieldsOf: resumedFieldsOf,
      starts: true,
      frees: () => true,
    });
  },
});

const backToHealthy = operation({
  summary:
    "Reset the band of mailboxes to HEALTHY: for 24 hours it does not change, and older results never count again. Fix the cause of the band first",
  errors: ["MAILBOX_NOT_FOUND"],
  audits: "mailboxes.setHealthy",
  scope,
  effects: { SENDS: true },
  input: z.strictObject(which),
  needsOneOf: ONE_OR_SEVERAL,
  output,
  async run({ workspaceId, credentialId }, asked) {
    return forEachMailbox(workspaceId, asked, (mailbox) => setHealthy(mailbox, credentialId));
  },
});

const settings = {
  summary: "Change name, limits, gaps, workday, signature, reply address or the copy in Sent",
  scope,
  output,
};
const tags = { summary: "Add and remove tags", scope, output };
const tagChange = {
  add: z.array(tag).max(50).default([]).describe("Tags to add, at most 50"),
  remove: z.array(tag).max(50).default([]).describe("Tags to remove, at most 50"),
};

const namesTags = ({ add, remove }: { add: readonly string[]; remove: readonly string[] }) =>
  add.length + remove.length > 0;

const updateSettings = operation({
  ...settings,
  errors: ["MAILBOX_NOT_FOUND", "TEMPLATE_INVALID"],
  effects: { CHANGES_SENDING: true },
  input: z.strictObject({ mailboxId, patch: Patch }),
  async run({ workspaceId }, { patch, ...asked }) {
    return forEachMailbox(workspaceId, asked, {
      fieldsOf: (mailbox) => changesOf(mailbox, patch),
      frees: freesSending,
    });
  },
});

const bulkUpdateSettings = operation({
  ...settings,
  errors: ["MAILBOX_NOT_FOUND", "TEMPLATE_INVALID"],
  effects: { CHANGES_SENDING: true },
  input: z.strictObject({ mailboxIds: ids, patch: Patch }),
  async run({ workspaceId }, { patch, ...asked }) {
    return forEachMailbox(workspaceId, asked, {
      fieldsOf: (mailbox) => changesOf(mailbox, patch),
      frees: freesSending,
    });
  },
});

const updateTags = operation({
  ...tags,
  errors: ["LIMIT_EXCEEDED", "MAILBOX_NOT_FOUND"],
  input: changing(z.strictObject({ mailboxId, ...tagChange }), namesTags),
  needsOneOf: Object.keys(tagChange),
  async run({ workspaceId }, { add, remove, ...asked }) {
    return forEachMailbox(workspaceId, asked, {
      fieldsOf: (mailbox) => ({ tags: retagged(mailbox.tags, add, remove) }),
      frees: freesSending,
    });
  },
});

const bulkUpdateTags = operation({
  ...tags,
  errors: ["LIMIT_EXCEEDED", "MAILBOX_NOT_FOUND"],
  input: changing(z.strictObject({ mailboxIds: ids, ...tagChange }), namesTags),
  needsOneOf: Object.keys(tagChange),
  async run({ workspaceId }, { add, remove, ...asked }) {
    return forEachMailbox(workspaceId, asked, {
      fieldsOf: (mailbox) => ({ tags: retagged(mailbox.tags, add, remove) }),
      frees: freesSending,
    });
  },
});

export const manage = choice(scope, "Change, pause and resume mailboxes", {
  updateSettings,
  updateTags,
  bulkUpdateSettings,
  bulkUpdateTags,
  pause,
  resume,
  setHealthy: backToHealthy,
});

/** @throws AppError INVALID_STATE_TRANSITION */
function moved(mailbox: Mailbox, from: MailboxStatus, to: MailboxStatus, action: string): Partial<Mailbox> {
  if (mailbox.status === to) return {};
  if (mailbox.status !== from) {
    const details = { from: mailbox.status, action };
    throw new AppError(
      "INVALID_STATE_TRANSITION",
      `The action ${action} is not possible while the mailbox is ${mailbox.status}`,
      details,
    );
  }
  return { status: to, statusReason: null };
}

/**
 * The fields that resume a mailbox: they end a cool-down, a circuit breaker and the pauses for single providers. They
 * also reset the refusal counts; otherwise the next refusal would start the same rest again.
 */
function resumedFieldsOf(mailbox: Mailbox): Partial<Mailbox> {
  const now = new Date();
  const rests = restFactsOf(mailbox, now.getTime());
  const isTriedAgain = mailbox.status === "COOLING_DOWN" || mailbox.status === "SENDING_ERROR";
  const makesDifferences = MAY_SEND.includes(mailbox.status) && isSelective(mailbox, now.getTime());
  if (!isTriedAgain && !makesDifferences) return moved(mailbox, "PAUSED", "CONNECTED", "resume");
  const evidence = rests.flatMap((rest) => rest.evidence ?? []).join(". ");
  const until =
    rests
      .flatMap((rest) => rest.until ?? [])
      .sort((one, other) => one.getTime() - other.getTime())
      .at(-1) ?? null;
  return {
    status: "CONNECTED",
    statusReason: null,
    trial: null,
    pausedProviders: [],
    refusalsSince: now,
    rateRefusals: 0,
    hostFailures: 0,
    retryAt: mailbox.retryAt === null ? null : now,
    overridden: { at: now, until, evidence: evidence === "" ? null : evidence },
  };
}

/** Statuses in which a mailbox has everything it needs to send. */
const MAY_SEND: readonly MailboxStatus[] = ["CONNECTED", "PAUSED"];

const MAX_TAGS = 50;

function retagged(tags: string[], add: string[], remove: string[]): string[] {
  const kept = [...new Set([...tags, ...add])].filter((each) => !remove.includes(each));
  if (kept.length > MAX_TAGS)
    throw new AppError("LIMIT_EXCEEDED", `A mailbox has at most ${MAX_TAGS} tags`, { limit: MAX_TAGS });
  return kept;
}
