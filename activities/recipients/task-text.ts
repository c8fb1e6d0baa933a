import { AppError } from "../../domain/errors.ts";
import type { configOf } from "../../domain/sequences/step-config.ts";
import { render } from "../../domain/templates/template.ts";
import { variablesOf } from "../../domain/templates/variables.ts";
import type { Situation } from "../../store/recipients/recipient-state.ts";

/**
 * The text of a TASK for this recipient: variables are filled in, unknown ones left blank. A text that cannot be
 * rendered is used as it was written.
 */
export function taskOf(
  situation: Situation,
  { title, note = null, assignee = null }: ReturnType<typeof configOf<"TASK">>,
) {
  try {
    const seed = { recipientId: situation.recipient._id, stepId: situation.step?.stepId ?? "", variantId: "task" };
    const { subject, text } = render(
      { subject: title, bodyHtml: null, bodyText: note },
      taskVariablesOf(situation),
      seed,
      {},
    );
    return { title: subject, note: note === null ? null : text, assignee };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { title, note, assignee };
  }
}

function taskVariablesOf({
  lead,
  mailbox,
  campaign,
  workspace,
  recipient,
  settings,
}: Situation): Record<string, unknown> {
  const sender = { email: mailbox?.email ?? "", name: mailbox?.name ?? null, signatureHtml: null };
  const zone = recipient.timezone ?? settings.timezone;
  return variablesOf({
    lead,
    mailbox: sender,
    campaign,
    workspace,
    now: new Date(),
    zone,
    unsubscribeLink: "",
    cid: recipient.cid,
  });
}
