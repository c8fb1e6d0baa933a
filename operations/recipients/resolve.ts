import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type Resolution, resendUnknown, resolveNotSent, resolveSent } from "../../store/sending/resolve-unknown.ts";
import { campaignId, loadEditable } from "../campaigns/find.ts";
import { choice } from "../choice.ts";
import { describedIds } from "../described-ids.ts";
import { operation } from "../operation.ts";
import { runsAgain } from "../sending/causes.ts";
import { reopen } from "./pause.ts";
import { SendRow } from "./sends.ts";
import { forgetStats } from "./stats.ts";

const { sendId } = describedIds;

const input = z.strictObject({ campaignId, sendId });
const shared = {
  scope: "campaigns:launch" as const,
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "SEND_NOT_FOUND"] as const,
  input,
  output: SendRow,
};

const markSent = operation({
  ...shared,
  summary:
    "State that an email with an unknown outcome was sent: it becomes SENT, and its recipient continues with the next step",
  sends: true,
  audits: "sends.markSent",
  stepUp: true,
  effects: { SENDS: runsAgain },
  run: ({ workspaceId, credentialId }, ids) => resolve(workspaceId, credentialId, ids, "markSent", resolveSent),
});

const markNotSent = operation({
  ...shared,
  summary:
    "State that an email with an unknown outcome was not sent: Outreach stops waiting for evidence, the email is FAILED and not sent again automatically, and its recipient ends FAILED, SEND_UNKNOWN",
  audits: "sends.markNotSent",
  stepUp: true,
  run: ({ workspaceId, credentialId }, ids) => resolve(workspaceId, credentialId, ids, "markNotSent", resolveNotSent),
});

const resend = operation({
  ...shared,
  summary:
    "Send an email with an unknown outcome again; the recipient may get it twice. Possible only while the recipient waits for it, or if it ended only because of it. All checks are made again",
  sends: true,
  effects: { SENDS: true },
  audits: "sends.resend",
  stepUp: true,
  run: ({ workspaceId, credentialId }, ids) => resolve(workspaceId, credentialId, ids, "resend", resendUnknown),
});

export const resolution = choice(
  "campaigns:launch",
  "Settle an email with an unknown outcome: it was sent, it was not sent, or send it again",
  {
    markSent,
    markNotSent,
    resend,
  },
);

async function resolve(
  workspaceId: string,
  actor: string,
  { campaignId, sendId }: z.output<typeof input>,
  action: string,
  by: (send: Send) => Promise<Resolution>,
) {
  const { Recipient, Send } = scoped(workspaceId);
  const resolved = await inTransaction(async () => {
    await loadEditable(workspaceId, campaignId, undefined);
    const send = await Send.findOne({ _id: sendId, campaignId });
    if (send === null) throw new AppError("SEND_NOT_FOUND", "No email of this campaign has this id");
    const before = send.recipientId === null ? null : await Recipient.get(send.recipientId);
    const done = await by(send);
    if (done === "REFUSED") throw refusal(send, before?.status ?? null, action);
    const after = await Send.get(sendId);
    if (after === null) throw new AppError("SEND_NOT_FOUND", "No email of this campaign has this id");
    if (before?.status === "FAILED" && done === "CHANGED") await reopen(workspaceId, campaignId, actor);
    return after;
  });
  forgetStats(campaignId);
  return { ...resolved, email: resolved.to };
}

function refusal({ state }: Send, recipient: string | null, action: string): AppError {
  const message =
    state === "UNKNOWN" || state === "FAILED"
      ? `The recipient is ${recipient ?? "removed"} and does not wait for this email`
      : `The email is ${state}: only an email with an unknown outcome can be resolved`;
  return new AppError("INVALID_STATE_TRANSITION", message, { from: state, action });
}
