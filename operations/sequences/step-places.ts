import { AppError, invalid } from "../../domain/errors.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { configOf } from "../../domain/sequences/step-config.ts";
import { scoped } from "../../models/scoped.ts";
import type { ServiceSettings } from "../context.ts";
import { destination } from "../webhook-destination.ts";

/**
 * The steps with the URLs of their WEBHOOK steps in stored form. Only hosts that are allowed for webhook subscriptions
 * are accepted (rules/webhooks 4.1).
 * @throws VALIDATION_FAILED for an invalid URL, HOST_NOT_ALLOWED for its host, both with the path of the step
 */
export function withDestinations(steps: readonly Step[], settings: ServiceSettings): Step[] {
  return steps.map((step, index) => {
    if (step.type !== "WEBHOOK") return step;
    const path = `steps.${index}.config.url`;
    return {
      ...step,
      config: { ...step.config, url: placed(() => destination(configOf("WEBHOOK", step).url, settings), path) },
    };
  });
}

/** Adds the path of the step to a refusal of its URL. */
function placed(read: () => string, path: string): string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const issues = error.details?.["issues"];
    if (!Array.isArray(issues))
      throw new AppError(error.code, error.message, { ...error.details, path }, { cause: error });
    throw new AppError(
      error.code,
      error.message,
      { issues: issues.map((issue: object) => ({ ...issue, path })) },
      { cause: error },
    );
  }
}

/**
 * Refuses a MOVE_TO_CAMPAIGN step that does not name another campaign of this workspace. Call it in the transaction of
 * the edit.
 * @throws CAMPAIGN_NOT_FOUND, VALIDATION_FAILED if the step names its own campaign
 */
export async function refuseMissingCampaigns(
  workspaceId: string,
  campaignId: string,
  steps: readonly Step[],
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    if (step.type !== "MOVE_TO_CAMPAIGN") continue;
    const path = `steps.${index}.config.campaignId`;
    const target = configOf("MOVE_TO_CAMPAIGN", step).campaignId;
    if (target === campaignId) throw invalid(path, "must name a campaign other than its own", "SAME_CAMPAIGN");
    if ((await scoped(workspaceId).Campaign.get(target)) === null) {
      throw new AppError("CAMPAIGN_NOT_FOUND", "A step names a campaign id that does not exist", { path });
    }
  }
}
