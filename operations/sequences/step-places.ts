import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { readBy } from "../../domain/issues.ts";
import { stepsInput } from "../../domain/sequences/input.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import { configOf } from "../../domain/sequences/step-config.ts";
import { scoped } from "../../models/scoped.ts";
import { takeUploads } from "../../store/sending/uploads.ts";
import type { Context, ServiceSettings } from "../context.ts";
import { destination } from "../webhook-destination.ts";

/** The steps of a request, which the schema of the API shows but does not check. @throws VALIDATION_FAILED */
export function readSteps(steps: unknown): z.output<typeof stepsInput> {
  const read = readBy(z.object({ steps: stepsInput }), { steps });
  if (!read.success) throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: read.issues });
  return read.data.steps;
}

/**
 * Adds destinations and files to steps of a campaign, or of a template if `campaignId` is null. Call it in the
 * transaction of the edit. @throws AppError naming references to records that the workspace does not have
 */
export async function storableSteps(
  { workspaceId, services }: Context,
  campaignId: string | null,
  steps: readonly Step[],
): Promise<Step[]> {
  const written = withDestinations(steps, services.settings);
  await refuseMissingCampaigns(workspaceId, campaignId, written);
  return withFiles(workspaceId, written);
}

/**
 * The steps with the URLs of their WEBHOOK steps in stored form. Only hosts that are allowed for webhook subscriptions
 * are accepted (rules/webhooks 4.1).
 * @throws VALIDATION_FAILED for an invalid URL, HOST_NOT_ALLOWED for its host, both with the path of the step
 */
function withDestinations(steps: readonly Step[], settings: ServiceSettings): Step[] {
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
async function refuseMissingCampaigns(
  workspaceId: string,
  campaignId: string | null,
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

/**
 * Adds uploaded files to the steps that name them. @throws AppError VALIDATION_FAILED naming each upload that the
 * workspace does not have
 */
async function withFiles(workspaceId: string, steps: readonly Step[]): Promise<Step[]> {
  const named = steps.flatMap(({ variants }, step) =>
    variants.map(({ attachments }, variant) => ({
      ids: attachments.map(({ id }) => id),
      path: `steps.${step}.variants.${variant}.attachments`,
    })),
  );
  if (named.every(({ ids }) => ids.length === 0)) return [...steps];
  const files = await takeUploads(workspaceId, named);
  const filesOf = (variant: Variant) => variant.attachments.flatMap(({ id }) => files.get(id) ?? []);
  return steps.map((step) => ({
    ...step,
    variants: step.variants.map((variant) => ({ ...variant, attachments: filesOf(variant) })),
  }));
}
