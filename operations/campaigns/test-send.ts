import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { bandOf } from "../../domain/mailboxes/band.ts";
import { sendErrorOf } from "../../domain/sending/send-error.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { gateId } from "../../store/campaigns/gates.ts";
import { findBlockEntry } from "../../store/suppression/block-list.ts";
import { loadGuardReasons } from "../../store/suppression/suppress.ts";
import { testSendRun } from "../../temporal/runs.ts";
import { address } from "../address.ts";
import { planning } from "../effects.ts";
import type { Intent, Permit, SendingContext } from "../sending/permit.ts";
import { sendingOperation } from "../sending/sending-operation.ts";
import { textOf } from "./launch-effect.ts";
import { which } from "./preview.ts";
import { type RenderedFor, type RenderRequest, renderAsked } from "./rendering.ts";

const PER_MINUTE = 10;
const DEADLINE_MS = 25_000;
const MARK = "[TEST] ";

type Outcome = { kind: "sent"; messageId: string } | { kind: "failed"; reason: string; code: string | null };

export const testSend = sendingOperation({
  summary: "Send one email of a campaign to your own address, marked as a test: no tracking, no state, no statistics",
  scope: "campaigns:launch",
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "LEAD_NOT_FOUND",
    "LIMIT_EXCEEDED",
    "MISSING_VARIABLES",
    "NO_SENDING_MAILBOX",
    "RECIPIENT_SUPPRESSED",
    "RENDER_LIMIT",
    "SEND_FAILED",
    "STEP_NOT_FOUND",
    "TEMPLATE_INVALID",
    "VARIANT_NOT_FOUND",
  ],
  audits: "campaigns.testSend",
  input: z.strictObject({ ...which, toEmail: address.describe("The address that gets the test email"), ...planning }),
  output: z.object({
    ok: z.literal(true).describe("Always true; a refusal returns an error"),
    messageId: z.string().describe("The Message-ID of the email"),
    sentTo: z.string().describe("The address that got it"),
  }),
  async run(ctx, { toEmail, ...asked }) {
    const { workspaceId, services } = ctx;
    const to = toEmail.address;
    const sendId = (await sentUnder(workspaceId, ctx.permit.sendKey)) ?? (await prepared(ctx, to, asked));
    const id = createHash("sha256").update(`${workspaceId}|test-send|${sendId}`).digest("hex");
    const run = testSendRun({ v: 1, workspaceId, sendId }, id, { campaignId: asked.campaignId });
    const outcome = await services.engine.execute<Outcome>(run, DEADLINE_MS);
    if (outcome.kind === "sent") return { ok: true as const, messageId: outcome.messageId, sentTo: to };
    const { failure } = (await scoped(workspaceId).Send.get(sendId)) ?? { failure: null };
    throw sendErrorOf(failure ?? outcome, new Date()); // the server's words are in the send, because workflow history has only ids and codes
  },
});

/** The test email that already has this key; null if the key is free or null. */
async function sentUnder(workspaceId: string, sendKey: string | null): Promise<string | null> {
  if (sendKey === null) return null;
  return (await scoped(workspaceId).Send.findOne({ sendKey, kind: "TEST" }, { select: { _id: 1 } }))?._id ?? null;
}

async function prepared(ctx: SendingContext, to: string, asked: RenderRequest): Promise<string> {
  const { workspaceId, services, permit } = ctx;
  const mail = await renderAsked(ctx, asked);
  await refuseSuppressed(workspaceId, to);
  if (mail.rendered.missingVariables.length > 0) {
    const names = mail.rendered.missingVariables;
    throw new AppError("MISSING_VARIABLES", `The email has variables without a value: ${names.join(", ")}`, { names });
  }
  const mailbox = senderOf(mail);
  const sendId = await permit.commit(intentOf(to, mail, mailbox), async () => {
    if (!(await services.engine.isReachable()))
      throw new AppError("SERVICE_UNAVAILABLE", "The workflow engine cannot be reached: try again");
    return stored(workspaceId, to, mail, mailbox, permit);
  });
  const first = sendId ?? (await sentUnder(workspaceId, permit.sendKey));
  if (first === null) throw new Error("The test email was deleted");
  return first;
}

function senderOf({ sources: { mailbox } }: RenderedFor): Mailbox {
  if (mailbox === null || mailbox.status !== "CONNECTED")
    throw new AppError("NO_SENDING_MAILBOX", "No mailbox of the campaign can send now");
  // Bands less severe than BLOCKED stop only campaign emails, not tests
  if (bandOf(mailbox) === "BLOCKED")
    throw new AppError("NO_SENDING_MAILBOX", "No mailbox of the campaign can send now: BLOCKED", { reason: "BLOCKED" });
  return mailbox;
}

function intentOf(to: string, mail: RenderedFor, { _id, email }: Mailbox): Intent {
  const subject = `${MARK}${mail.rendered.subject}`;
  const text = { ...textOf(mail, to), subject };
  const shown = {
    kind: "TEST_SEND" as const,
    people: 1,
    mails: 1,
    mailboxes: [{ id: _id, email }],
    recipients: [to],
    texts: [text],
  };
  const files = (mail.variant.attachments ?? []).map(({ id }) => id);
  return {
    effect: async () => ({
      shown: { ...shown, firstSendAt: null, lastSendAt: null },
      identity: ["TEST_SEND", to, text, files, _id, email],
      about: mail.lead === null ? [] : [mail.lead.email],
    }),
    cost: async () => 1,
  };
}

async function refuseSuppressed(workspaceId: string, email: string): Promise<void> {
  const guarded = await loadGuardReasons(workspaceId, [email]);
  if (guarded.has(email) || (await findBlockEntry(workspaceId, email)) !== null) {
    throw new AppError(
      "RECIPIENT_SUPPRESSED",
      "This address is suppressed or on the block list, so no email is sent to it",
    );
  }
}

/**
 * Creates the send and its content, within the limit of test emails per minute; null if a test email already has this
 * key.
 */
async function stored(
  workspaceId: string,
  to: string,
  { step, variant, lead, rendered }: RenderedFor,
  mailbox: Mailbox,
  { sendKey, approvalId }: Permit,
): Promise<string | null> {
  return inTransaction(async () => {
    const { OutgoingMail, Gate, Send } = scoped(workspaceId);
    // Every test email writes this document, so that two at the same time are counted one after the other
    await Gate.updateOne({ _id: gateId(workspaceId, 0) }, { $inc: { claims: 1 } });
    if ((await sentUnder(workspaceId, sendKey)) !== null) return null;
    const since = new Date(Date.now() - MINUTE_MS);
    const recent = await OutgoingMail.find(
      { kind: "TEST", createdAt: trusted({ $gt: since }) },
      { sort: { createdAt: 1 }, limit: PER_MINUTE },
    );
    if (recent.length >= PER_MINUTE) throw tooMany(recent[0]?.createdAt ?? since);
    const sendId = newId("snd");
    const subject = `${MARK}${rendered.subject}`;
    const ids = {
      mailboxId: mailbox._id,
      stepId: step.stepId,
      variantId: variant.variantId,
      leadId: lead?._id ?? null,
    };
    await Send.insert({
      _id: sendId,
      kind: "TEST",
      sendKey: sendKey ?? `test-send/${sendId}`,
      approvalId,
      to,
      state: "RESERVED",
      subject,
      ...ids,
    });
    await OutgoingMail.insert({
      _id: sendId,
      kind: "TEST",
      mailboxId: mailbox._id,
      to,
      subject,
      html: rendered.html,
      text: rendered.text,
      attachments: variant.attachments,
    });
    return sendId;
  });
}

function tooMany(oldest: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + MINUTE_MS - Date.now()) / 1_000));
  return new AppError("RATE_LIMITED", `At most ${PER_MINUTE} test emails a minute`, { retryAfterSeconds });
}
