import { renderStep } from "../../domain/sequences/rendered-mail.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import type { Rendered } from "../../domain/templates/template.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import type { Situation } from "../recipients/recipient-state.ts";

/** The thread that a step's email continues; null when the email starts a new one. */
export function threadOf({ recipient }: Situation, step: Step): Recipient["thread"] {
  return step.threadMode === "SAME_THREAD" ? recipient.thread : null;
}

/** Renders the email of a step for its recipient. Throws the errors of `renderStep`. */
export function renderStepMail(
  situation: Situation,
  { step, variant, mailbox }: { step: Step; variant: Variant; mailbox: Mailbox },
  unsubscribeLink: string,
  now: Date,
): Rendered {
  const { workspace, campaign, settings, recipient, lead } = situation;
  const thread = threadOf(situation, step);
  return renderStep({
    settings,
    step,
    variant,
    lead,
    recipient,
    mailbox,
    campaign,
    workspace,
    now,
    zone: recipient.timezone ?? settings.timezone,
    unsubscribeLink,
    isFirst: recipient.sentCount === 0,
    openingSubject: thread?.subject ?? null,
    isReopened: thread?.ids.length === 0,
  });
}
