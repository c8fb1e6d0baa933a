import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MOST_CHARACTERS } from "../../mcp/fit.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { agentOf } from "../support/mcp.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A text in which every part is different, so that a lost or repeated part shows. */
const textOf = (length: number, name: string) =>
  Array.from({ length: Math.ceil(length / 12) }, (_, at) => `${name} ${at}`.padEnd(12))
    .join("")
    .slice(0, length);

/** A campaign whose sequence has one step for each of these bodies. */
async function startSequence(bodies: readonly string[]) {
  const { key, rest, workspaceId } = await world.workspace();
  const { body: campaign } = await rest.post("/campaigns", { name: "Long" });
  const { Sequence } = scoped(workspaceId);
  const [step] = (await Sequence.findOne({ campaignId: campaign.id }))?.steps ?? [];
  const [variant] = step?.variants ?? [];
  if (step === undefined || variant === undefined) throw new Error("the campaign has no text");
  const steps = bodies.map((bodyHtml) => ({
    ...step,
    stepId: newId("stp"),
    variants: [{ ...variant, variantId: newId("var"), bodyHtml }],
  }));
  await Sequence.updateOne({ campaignId: campaign.id }, { $set: { steps } });
  const agent = await agentOf(world, key);
  const read = (offset?: number) =>
    agent.call("campaign_sequence_get", { campaignId: campaign.id, ...(offset !== undefined && { offset }) });
  return { agent, read, campaignId: campaign.id as string };
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers field by field
const bodiesOf = (body: any): string[] => body.steps.map(({ variants }: any) => variants[0].bodyHtml);

test("a sequence that fits a result shows its texts whole, so that an agent can save them back", async () => {
  const bodies = [textOf(9_000, "one"), textOf(7_500, "two")];
  const { agent, read } = await startSequence(bodies);
  const { body } = await read();
  expect(bodiesOf(body)).toEqual(bodies);
  expect([body.truncated, body.cut, body.nextOffset]).toEqual([undefined, undefined, undefined]);
  await agent.close();
});

test.each([
  [2, 20_000],
  [12, 3_000],
])(
  "the texts of %i steps that do not fit are marked as cut and read to their end by nextOffset",
  async (steps, length) => {
    const bodies = Array.from({ length: steps }, (_, at) => textOf(length + at, `${at}`));
    const { agent, read } = await startSequence(bodies);
    const met = bodies.map(() => "");
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { body, text } = await read(offset);
      expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
      const parts = bodiesOf(body);
      expect(parts).toHaveLength(steps);
      expect([body.truncated, body.cut.map(({ path }: { path: string }) => path)]).toEqual([
        true,
        expect.arrayContaining(["steps.0.variants.0.bodyHtml"]),
      ]);
      expect(body.cut[0]).toMatchObject({ kept: parts[0]?.length, of: length });
      for (const [at, part] of parts.entries()) met[at] += part;
      offset = body.nextOffset;
    }
    expect(met).toEqual(bodies);
    await agent.close();
  },
);

test("a result that loses steps names them in cut and offers no offset, which could not return them", async () => {
  const bodies = Array.from({ length: 80 }, (_, at) => textOf(3_000, `${at}`));
  const { agent, read } = await startSequence(bodies);
  const { body } = await read();
  expect(body).toMatchObject({
    truncated: true,
    cut: expect.arrayContaining([expect.objectContaining({ path: "steps", of: 80 })]),
  });
  expect(body.nextOffset).toBeUndefined();
  for (const { path, of } of body.cut)
    if (path !== "steps") expect([Number(path.split(".")[1]) < body.steps.length, of]).toEqual([true, 3_000]);
  await agent.close();
});
