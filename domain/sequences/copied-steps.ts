/** What a copy changes of a step. The console knows fewer fields of a file than the service. */
interface Copied {
  stepId: string;
  conditions: Record<string, unknown>[];
  config: Record<string, unknown>;
  variants: { variantId: string }[];
  winner: { winnerVariantId?: unknown };
}

/**
 * The steps of a duplicate or of a template. Every step and variant gets a new id, and every reference to them inside the sequence
 * (conditions, config, the winner) leads to the copy. Ids of other documents stay unchanged.
 */
export function copySteps<S extends Copied>(steps: readonly S[], newIds: { step(): string; variant(): string }): S[] {
  const copies = new Map<string, string>();
  for (const { stepId, variants } of steps) {
    copies.set(stepId, newIds.step());
    for (const { variantId } of variants) copies.set(variantId, newIds.variant());
  }
  return steps.map((step) => {
    const { conditions, config, variants, winner } = step;
    const { winnerVariantId } = winner;
    return {
      ...step,
      stepId: copyOf(copies, step.stepId),
      conditions: conditions.map((condition) => copyFields(condition, copies)),
      config: copyFields(config, copies),
      variants: variants.map((variant) => ({ ...variant, variantId: copyOf(copies, variant.variantId) })),
      winner: {
        ...winner,
        winnerVariantId: typeof winnerVariantId === "string" ? (copies.get(winnerVariantId) ?? null) : null,
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
