import { DRAWS, draw } from "../draw.ts";
import type { Step, Variant } from "./sequence.ts";

type Contest = Pick<Step, "stepId" | "variants" | "winner">;

/** The variant that a recipient gets at a step, drawn by the weights in force. */
export function variantFor(step: Contest, recipientId: string): Variant | null {
  const variant = chooseVariant(armsOf(step), recipientId, step.stepId);
  return step.variants.find(({ variantId }) => variantId === variant?.variantId) ?? null;
}

/**
 * The share of the people that each enabled variant of a step gets now, by variant id. It is stored with every email,
 * because the test that chooses a winner needs to know how likely each draw was (rules/campaigns 3.3).
 */
export function variantShares(step: Omit<Contest, "stepId">): Record<string, number> {
  const open = armsOf(step).filter(({ enabled, weight }) => enabled && weight > 0);
  const all = open.reduce((sum, { weight }) => sum + weight, 0);
  return Object.fromEntries(open.map(({ variantId, weight }) => [variantId, weight / all]));
}

/**
 * The variants with the weights in force: a winner takes everything except the share kept for exploration
 * (rules/campaigns 3.2).
 */
function armsOf({ variants, winner }: Omit<Contest, "stepId">): Pick<Variant, "variantId" | "weight" | "enabled">[] {
  const best =
    winner.mode === "AUTO"
      ? variants.find(({ variantId, enabled }) => enabled && variantId === winner.winnerVariantId)
      : undefined;
  const others = variants.reduce((sum, variant) => sum + (variant.enabled && variant !== best ? variant.weight : 0), 0);
  if (best === undefined || others === 0) return variants;
  return variants.map(({ variantId, enabled, weight }) => {
    const isBest = variantId === best.variantId;
    return {
      variantId,
      enabled,
      weight: isBest ? 1 - winner.explorationShare : (weight / others) * winner.explorationShare,
    };
  });
}

/**
 * How a variant of a step is drawn under the step's current settings; null when the variant was removed. `weights` are
 * by label.
 */
export function drawOf({ variants, winner }: Pick<Step, "variants" | "winner">, variantId: string) {
  const drawnVariant = variants.find((variant) => variant.variantId === variantId);
  if (drawnVariant === undefined) return null;
  const weights = Object.fromEntries(
    variants.filter(({ enabled }) => enabled).map(({ label, weight }) => [label, weight]),
  );
  const hasWinner =
    winner.mode === "AUTO" &&
    variants.some((variant) => variant.enabled && variant.variantId === winner.winnerVariantId);
  const byWinner = variantId === winner.winnerVariantId ? ("WINNER" as const) : ("EXPLORATION" as const);
  const by = variants.length === 1 ? ("ONLY_VARIANT" as const) : hasWinner ? byWinner : ("WEIGHTS" as const);
  return { by, label: drawnVariant.label, weights };
}

/**
 * The variant that a recipient gets at a step (rules/campaigns 3.1): a weighted draw that depends only on ids, so that
 * retries, previews and resumed recipients get the same variant. It uses rendezvous hashing, in which each variant has
 * its own score. Disabling a variant therefore moves only its own recipients, who are spread over the others by weight.
 * Null when no variant is enabled.
 */
export function chooseVariant<V extends { variantId: string; weight: number; enabled: boolean }>(
  variants: V[],
  recipientId: string,
  stepId: string,
): V | null {
  const open = variants.filter(({ enabled, weight }) => enabled && weight > 0);
  const scored = open.map((variant) => ({ variant, score: scoreOf(variant, recipientId, stepId) }));
  return (
    scored.reduce<(typeof scored)[number] | null>((best, arm) => (best && best.score >= arm.score ? best : arm), null)
      ?.variant ?? null
  );
}

/**
 * The score w / -ln(u), where u is uniform in (0, 1): each variant has the largest score in proportion to its weight.
 */
function scoreOf(
  { variantId, weight }: { variantId: string; weight: number },
  recipientId: string,
  stepId: string,
): number {
  return weight / -Math.log((draw(recipientId, stepId, variantId) + 0.5) / DRAWS);
}
