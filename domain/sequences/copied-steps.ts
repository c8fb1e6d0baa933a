import type { Step } from "./sequence.ts";

/**
 * The steps of a duplicate. Every step and variant gets a new id, and every reference to them inside the sequence
 * (conditions, config, the winner) leads to the copy. Ids of other documents stay unchanged.
 */
export function copySteps(steps: readonly Step[], newIds: { step(): string; variant(): string }): Step[] {
  const copies = new Map<string, string>();
  for (const { stepId, variants } of steps) {
    copies.set(stepId, newIds.step());
    for (const { variantId } of variants) copies.set(variantId, newIds.variant());
  }
  return steps.map((step) => {
    const { conditions, config, ...rest } = step;
    const { variants, winner } = step;
    return {
      ...rest,
      stepId: copyOf(copies, step.stepId),
      conditions: conditions.map((condition) => copyFields(condition, copies)),
      config: copyFields(config, copies),
      variants: variants.map((variant) => ({ ...variant, variantId: copyOf(copies, variant.variantId) })),
      winner: {
        ...winner,
        winnerVariantId: winner.winnerVariantId === null ? null : (copies.get(winner.winnerVariantId) ?? null),
      },
    };
  });
}

function copyOf(copies: ReadonlyMap<string, string>, id: string): string {
  return copies.get(id) ?? id;
}

function copyFields(value: Record<string, unknown>, copies: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyValue(inner, copies)]));
}

function copyValue(value: unknown, copies: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return copyOf(copies, value);
  if (Array.isArray(value)) return value.map((inner) => copyValue(inner, copies));
  return typeof value === "object" && value !== null ? copyFields({ ...value }, copies) : value;
}
