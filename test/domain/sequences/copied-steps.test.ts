import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { copySteps } from "../../../domain/sequences/copied-steps.ts";
import { NO_DELAY, NO_WINNER, type Step } from "../../../domain/sequences/sequence.ts";

const step = (index: number, to: number): Step => ({
  stepId: `stp_${index}`,
  order: index + 1,
  type: "EMAIL",
  delay: NO_DELAY,
  threadMode: "NEW_THREAD",
  conditions: [
    {
      if: "OPENED",
      ofStepId: `stp_${to}`,
      nextStepId: `stp_${to}`,
      deep: { list: [`var_${to}`, "cmp_other", 3, null] },
    },
  ],
  config: { campaignId: "cmp_other", stepId: `stp_${to}` },
  variants: [
    {
      variantId: `var_${index}`,
      label: "A",
      subject: `stp_${index}`,
      bodyHtml: null,
      bodyText: "x",
      weight: 50,
      enabled: true,
      attachments: [],
    },
  ],
  winner: { ...NO_WINNER, winnerVariantId: `var_${index}` },
});

test("every reference in a copied sequence points to the copy of the referenced step or variant, and nothing else changes", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 10 }), (targets) => {
      const steps = targets.map((to, index) => step(index, to % targets.length));
      let made = 0;
      const copies = copySteps(steps, { step: () => `new_stp_${made++}`, variant: () => `new_var_${made++}` });
      const names = new Map(
        steps.flatMap((original, index) => [
          [original.stepId, copies[index]?.stepId ?? ""],
          [original.variants[0]?.variantId ?? "", copies[index]?.variants[0]?.variantId ?? ""],
        ]),
      );
      // Texts that look like ids are not references
      const renamed = JSON.parse(
        JSON.stringify(steps),
        (key, value) => (key !== "subject" && names.get(value)) || value,
      );
      expect(copies).toEqual(renamed);
    }),
  );
});
