import { asksApproval, contentHash } from "../../domain/campaigns/approval.ts";
import { AppError } from "../../domain/errors.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { variantFor } from "../../domain/sequences/variant.ts";
import type { Rendered } from "../../domain/templates/template.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { isApproved } from "../campaigns/approvals.ts";
import { renderStepMail } from "../sending/rendering.ts";
import { findBlockEntry } from "../suppression/block-list.ts";
import { loadHolds } from "../suppression/open-questions.ts";
import { endingBy, loadGuardReasons } from "../suppression/suppress.ts";
import type { Forecast } from "./forecast-result.ts";
import type { Situation } from "./recipient-state.ts";

const UNSUBSCRIBE = "https://example.com/u/";

/** The rendered email. Null when it cannot be rendered; then the consequences are added to the forecast. */
export function renderForecastMail(
  prospect: Forecast,
  situation: Situation,
  step: Step,
  mailbox: Mailbox,
): Rendered | null {
  const { settings, recipient } = situation;
  const { stepId } = step;
  const variant = variantFor(step, recipient._id);
  const ends = (error: string) => {
    prospect.note("TEMPLATE_ERROR", { stepId, error });
    prospect.happens("ENDED", { stepId, reason: "TEMPLATE_ERROR" });
    return null;
  };
  if (variant === null) return ends("NO_ENABLED_VARIANT");
  try {
    const mail = renderStepMail(situation, { step, variant, mailbox }, UNSUBSCRIBE, new Date(prospect.at));
    const names = mail.missingVariables;
    if (names.length === 0) return mail;
    prospect.note("MISSING_VARIABLE", { stepId, names, policy: settings.missingVariablePolicy });
    if (settings.missingVariablePolicy === "SKIP_STEP")
      prospect.happens("STEP_SKIPPED", { stepId, reason: "MISSING_VARIABLE" });
    else prospect.happens("PAUSED", { stepId, reason: "MISSING_VARIABLE" });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return ends(error.code);
  }
}

/** Whether the email needs an approval that it does not have. If it does, that is added to the forecast. */
export async function waitsForApproval(
  prospect: Forecast,
  situation: Situation,
  { stepId, order }: Step,
  mail: Rendered,
): Promise<boolean> {
  const { settings, recipient, send } = situation;
  if (!asksApproval(settings, recipient.sentCount)) return false;
  if (send !== null && (await isApproved(send, contentHash(mail, UNSUBSCRIBE)))) return false;
  prospect.note("APPROVAL_REQUIRED", { stepId, order, mode: settings.approvalMode });
  prospect.happens("PAUSED", { stepId, reason: "APPROVAL_REQUIRED" });
  return true;
}

/** Forecasts the last checks of the claim: address guard, block list and open opt-out questions. */
export async function forecastClaim(prospect: Forecast, { recipient }: Situation, { stepId }: Step): Promise<void> {
  const { workspaceId, email } = recipient;
  const reasons = (await loadGuardReasons(workspaceId, [email])).get(email) ?? [];
  const entry = await findBlockEntry(workspaceId, email);
  if (reasons.length === 0 && entry === null) {
    const questions = (await loadHolds(workspaceId, [email])).get(email);
    if (questions === undefined) return prospect.happens("MAIL", { stepId });
    prospect.note("OPT_OUT_ASKED", { approvalIds: questions });
    return prospect.happens("PAUSED", { stepId, reason: "APPROVAL_REQUIRED" });
  }
  if (entry !== null) prospect.note("BLOCK_LISTED", { value: entry.value });
  if (reasons.length > 0) prospect.note("SUPPRESSED", { reasons });
  // The claim checks the address guard before the block list
  const { stopReason } = endingBy(reasons.length === 0 ? ["BLOCK_LISTED"] : reasons);
  prospect.happens("ENDED", { stepId, reason: stopReason });
}
