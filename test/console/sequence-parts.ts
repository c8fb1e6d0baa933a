import { mail, NOW } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";

/** Steps of every type, with every kind of branch that the service knows. */
export function everyStep(otherCampaignId: string, fileId: string | null) {
  const attachments = fileId === null ? [] : [{ id: fileId }];
  const follow = { delay: { value: 3, unit: "DAYS" }, threadMode: "SAME_THREAD" };
  return [
    {
      stepId: "opener",
      variants: [
        {
          label: "A",
          subject: "A question, {{firstName}}",
          bodyHtml: "<p>Hello <b>{{firstName}}</b>,</p><p>shall we talk?</p>",
          weight: 30,
        },
        {
          label: "B",
          subject: "{Quick|Short} question",
          bodyText: "Hello {{firstName}},\n\n  shall we talk?",
          attachments,
          weight: 10,
        },
        { label: "C", subject: "An older text", bodyText: "This text is not sent.", enabled: false },
      ],
      conditions: [
        { if: "REPLIED", withinDays: 2, nextStepId: null },
        { if: "CLICKED", withinDays: 3, nextStepId: "task" },
        { if: "RANDOM", percent: 12.5, nextStepId: "hook" },
      ],
    },
    { ...follow, stepId: "second", body: "<p>שלום {{firstName}}</p>", delay: { value: 2, unit: "BUSINESS_DAYS" } },
    {
      stepId: "task",
      type: "TASK",
      delay: { value: 1, unit: "HOURS" },
      config: { title: "Call {{firstName}}", note: "Ask for the budget", assignee: "ann@acme.test" },
    },
    {
      stepId: "hook",
      type: "WEBHOOK",
      delay: NOW,
      config: { url: "https://hooks.example.com/services/T0/s3cr3t?token=s3cr3t", apiKey: "s3cr3t" },
    },
    { stepId: "tag", type: "ADD_TAG", delay: NOW, config: { tags: ["warm", "spring"] } },
    {
      stepId: "fork",
      type: "CONDITION",
      delay: NOW,
      conditions: [
        { if: "NOT_OPENED", ofStepId: "opener", withinDays: 4, nextStepId: "wait" },
        { if: "FIELD_MATCHES", filterRules: { country: "DE" }, nextStepId: "wait" },
        { if: "ALWAYS", nextStepId: "move" },
      ],
    },
    { stepId: "wait", type: "WAIT", delay: { value: 1, unit: "DAYS" } },
    { stepId: "ask", type: "APPROVAL", delay: NOW, config: { note: "Look at the account first" } },
    { stepId: "move", type: "MOVE_TO_CAMPAIGN", delay: NOW, config: { campaignId: otherCampaignId } },
  ];
}

/**
 * As many steps and variants as a sequence can have. The last of each is long, the one before it is written from right
 * to left.
 */
export function manyVariants() {
  const texts = new Map([
    [25, "مرحبا {{firstName}}"],
    [26, `${"Long words about little. ".repeat(209)}The end of variant 26.`],
  ]);
  const variants = Array.from({ length: 26 }, (_, index) => ({
    subject: `Subject ${index + 1}`,
    bodyText: texts.get(index + 1) ?? `Variant ${index + 1}`,
  }));
  return Array.from({ length: 50 }, () => ({ variants }));
}

const days = (value: number) => ({ value, unit: "DAYS" });

/**
 * Gives a campaign two steps; then another author puts a step before them, rewrites the first and lets the second wait
 * longer.
 */
export async function editTwice(rest: Rest, other: Rest, campaignId: string): Promise<void> {
  const write = async (by: Rest, steps: readonly object[]) => {
    const answer = await by.put(`/campaigns/${campaignId}/sequence`, { action: "replaceSteps", steps });
    if (answer.status !== 200) throw new Error(`The steps were refused: ${JSON.stringify(answer.body)}`);
    return answer.body.steps;
  };
  const [one, two] = await write(rest, [mail("one", "One"), mail("two", "Two", { delay: days(3) })]);
  const [variant] = one.variants;
  const rewritten = {
    ...one,
    variants: [
      { ...variant, subject: "Uno", bodyHtml: "<p>Uno</p>" },
      { subject: "Eins", bodyHtml: "<p>Eins</p>" },
    ],
  };
  await write(other, [mail("zero", "Zero"), rewritten, { ...two, delay: days(5), threadMode: "SAME_THREAD" }]);
}

/** Writes these steps; those of a campaign with branches, or with steps that are no emails. */
export async function writeSteps(rest: Rest, campaignId: string, steps: readonly object[]): Promise<void> {
  const at = `/campaigns/${campaignId}/sequence`;
  for (const change of [
    { action: "setMode", mode: "VISUAL" },
    { action: "replaceSteps", steps },
  ]) {
    const answer = await rest.put(at, change);
    if (answer.status !== 200) throw new Error(`The steps were refused: ${JSON.stringify(answer.body)}`);
  }
}
