import { useEffect, useState } from "react";
import { call, type Out } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { noteSessionEnded } from "../../api/session.ts";
import type { Step, Stored, Variant } from "./draft.ts";

export type Previewed = Out<"post /campaigns/:campaignId/sequence/preview">;

/** Milliseconds after the last key until the preview is rendered. */
const PREVIEW_MS = 400;

export interface Asked {
  campaignId: string;
  /** The sequence that the server knows. */
  base: Stored;
  step: Step;
  variant: Variant;
  leadId: string | undefined;
}

/** The unsaved text as a lead would read it. The last preview stays until the next one, or its refusal, arrives. */
export function usePreview({ campaignId, base, step, variant, leadId }: Asked): {
  shown: Previewed | null;
  refusal: Refusal | null;
} {
  const workspaceId = useWorkspaceId();
  const [answer, setAnswer] = useState<{ shown: Previewed | null; refusal: Refusal | null }>({
    shown: null,
    refusal: null,
  });
  const { subject, bodyHtml, bodyText } = variant;
  const { stepId, variantId } = savedPlaceOf(base, step, variant);
  useEffect(() => {
    if (stepId === undefined) return;
    const stop = new AbortController();
    const render = async () => {
      try {
        const shown = await call(
          "post /campaigns/:campaignId/sequence/preview",
          {
            campaignId,
            stepId,
            ...(variantId !== undefined && { variantId }),
            ...(leadId !== undefined && { leadId }),
            draft: { subject: textOrNull(subject), bodyHtml: textOrNull(bodyHtml), bodyText: textOrNull(bodyText) },
          },
          { workspaceId, signal: stop.signal },
        );
        if (!stop.signal.aborted) setAnswer({ shown, refusal: null });
      } catch (err) {
        if (stop.signal.aborted) return;
        const refusal = refusalOf(err);
        if (refusal.status === 401) noteSessionEnded();
        setAnswer(({ shown }) => ({ shown, refusal }));
      }
    };
    const timer = setTimeout(() => void render(), PREVIEW_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [workspaceId, campaignId, stepId, variantId, leadId, subject, bodyHtml, bodyText]);
  return answer;
}

/**
 * The step and variant of the server in whose place the text is rendered. A step that is not saved yet is rendered in
 * place of the last saved email before it.
 */
export function savedPlaceOf(
  { steps }: Stored,
  { stepId, order }: Step,
  { variantId }: Variant,
): { stepId?: string; variantId?: string } {
  const saved = steps.find((step) => step.stepId === stepId && step.type === "EMAIL");
  const isKnown = saved?.variants.some((variant) => variant.variantId === variantId) ?? false;
  if (saved !== undefined) return { stepId, ...(isKnown && { variantId }) };
  const emails = steps.filter(({ type }) => type === "EMAIL");
  const before = emails.findLast((step) => step.order < order) ?? emails[0];
  return before === undefined ? {} : { stepId: before.stepId };
}

function textOrNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
