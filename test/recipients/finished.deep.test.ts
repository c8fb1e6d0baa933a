import { expect, test } from "@jest/globals";
import pLimit from "p-limit";
import { scoped } from "../../models/scoped.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { mail } from "../campaigns/campaign-parts.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { runningCampaign } from "./finished-parts.ts";
import { complete, mailsOf, PEOPLE, type Running, reply, statusesOf, useSetup, world } from "./finished-setup.ts";

useSetup();

const ORDERS = 10;

const AT_ONCE = 6;

const LENGTH = 14;

test("a campaign that completes while finished recipients are resumed does not end those recipients", async () => {
  const running = await runningCampaign(world, PEOPLE.slice(0, 1));
  const { rest, path, ids, put, resume, run } = running;
  for (let round = 0; round < 20; round++) {
    await run();
    const { steps } = (await rest.get(`${path}/sequence`)).body;
    await put([...steps, mail(`more${round}`, "More")]);
    const [resumed] = await Promise.all([resume(ids, { finished: true }), complete(running)]);
    expect(resumed.body).toMatchObject({ changed: 1 });
    expect((await rest.get(path)).body.status).toBe("ACTIVE");
    expect(await statusesOf(running)).toEqual(["IN_PROGRESS"]);
  }
});

interface Modelled {
  state: "OPEN" | "PAUSED" | "FINISHED" | "STOPPED";
  isSuppressed: boolean;
  sent: string[];
}

const VERBS = [
  "append",
  "rewrite",
  "resumeFinished",
  "resumeFinished",
  "reply",
  "suppress",
  "pause",
  "unpause",
] as const;

const MORE = ["pausePerson", "resumePerson", "run", "run", "run", "complete"] as const;

type Verb = (typeof VERBS)[number] | (typeof MORE)[number];

/** The rules as a model, beside the real campaign: what each person may have been sent, and in which state they are. */
async function playOrder(seed: number): Promise<Verb[]> {
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const running = await runningCampaign(world, PEOPLE);
  const { rest, workspaceId, path, ids, people, put, resume, run } = running;
  const model: Modelled[] = ids.map(() => ({ state: "OPEN", isSuppressed: false, sent: [] }));
  let campaign: "ACTIVE" | "PAUSED" | "COMPLETED" = "ACTIVE";
  let steps: { stepId: string }[] = (await rest.get(`${path}/sequence`)).body.steps;
  const lacksStep = ({ sent }: Modelled) => sent.at(-1) !== steps.at(-1)?.stepId;
  const hasOpen = () => model.some(({ state }) => state === "OPEN" || state === "PAUSED");
  const played: Verb[] = [];

  async function act(verb: Verb, index: number): Promise<void> {
    const person = model[index];
    const id = ids[index];
    if (person === undefined || id === undefined) return;
    switch (verb) {
      case "append":
      case "rewrite": {
        const { status, body } = await put(verb === "append" ? [...steps, mail(`s${played.length}`, "More")] : steps);
        expect(status).toBe(200);
        steps = body.steps;
        expect(body.finishedReachable).toBe(model.filter((one) => one.state === "FINISHED" && lacksStep(one)).length);
        return;
      }
      case "resumeFinished": {
        const asked = model.flatMap((one, at) => (one.state === "STOPPED" ? [] : [{ one, id: ids[at] ?? "" }]));
        if (asked.length === 0) return;
        const { body } = await resume(
          asked.map(({ id }) => id),
          { finished: true },
        );
        const changing = asked.filter(
          ({ one }) => one.state === "PAUSED" || (one.state === "FINISHED" && !one.isSuppressed && lacksStep(one)),
        );
        expect(body.changed).toBe(changing.length);
        for (const { one } of changing) one.state = "OPEN";
        if (changing.length > 0 && campaign === "COMPLETED") campaign = "ACTIVE";
        return;
      }
      case "reply":
        await reply(running, id);
        person.state = "STOPPED";
        return;
      case "suppress":
        await suppressAddress(workspaceId, people[index]?.email ?? "", "MANUAL");
        person.isSuppressed = true;
        if (person.state === "OPEN" || person.state === "PAUSED") person.state = "STOPPED";
        return;
      case "pause":
      case "unpause": {
        const isPause = verb === "pause";
        if (campaign !== (isPause ? "ACTIVE" : "PAUSED") || (!isPause && !hasOpen())) return;
        expect(await rest.post(`${path}/control`, { action: isPause ? "pause" : "resume" })).toMatchObject({
          status: 200,
        });
        campaign = isPause ? "PAUSED" : "ACTIVE";
        return;
      }
      case "pausePerson":
        await rest.post(`${path}/recipients`, { action: "pauseRecipients", recipientIds: [id] });
        if (person.state === "OPEN") person.state = "PAUSED";
        return;
      case "resumePerson":
        if (person.state !== "PAUSED") return;
        expect((await resume([id])).body.changed).toBe(1);
        person.state = "OPEN";
        return;
      case "run":
        await admitBack(running, id);
        await run([id]);
        if (campaign !== "ACTIVE" || person.state !== "OPEN") return;
        person.sent.push(...steps.map(({ stepId }) => stepId).slice(person.sent.length));
        person.state = "FINISHED";
        return;
      case "complete":
        expect(await complete(running)).toBe(campaign === "ACTIVE" && !hasOpen());
        if (campaign === "ACTIVE" && !hasOpen()) campaign = "COMPLETED";
    }
  }

  for (let turn = 0; turn < LENGTH; turn++) {
    const verb = pick<Verb>([...VERBS, ...MORE]);
    if (verb === undefined) break;
    played.push(verb);
    await act(verb, Math.floor(random() * ids.length));
    const found = {
      mails: await mailsOf(running),
      campaign: (await rest.get(path)).body.status,
      order: `${seed}: ${played.join(", ")}`,
    };
    expect(found).toEqual({ mails: model.map(({ sent }) => sent), campaign, order: found.order });
  }
  return played;
}

/** The feeder admits every waiting recipient, also one that was paused before its first email. */
async function admitBack({ workspaceId, campaignId }: Running, recipientId: string): Promise<void> {
  const { Mailbox, Recipient, Sequence } = scoped(workspaceId);
  const [mailbox] = await Mailbox.find({});
  const sequence = await Sequence.findOne({ campaignId });
  await Recipient.updateOne(
    { _id: recipientId, status: "PENDING", admittedAt: null },
    {
      $set: {
        admittedAt: new Date(),
        mailboxId: mailbox?._id ?? null,
        nextStepId: sequence?.steps[0]?.stepId ?? null,
        nextSendAt: new Date(),
      },
    },
  );
}

test("in random orders of appended steps, finishes, resumes, stops and pauses, each recipient gets each step once and none after a stop", async () => {
  const limit = pLimit(AT_ONCE);
  const orders = await Promise.all(Array.from({ length: ORDERS }, (_, seed) => limit(() => playOrder(seed + 1))));
  const resumed = orders.flat().filter((verb) => verb === "resumeFinished").length;
  // Orders in which no one is ever taken on again would prove nothing
  expect(resumed).toBeGreaterThan(ORDERS);
}, 120_000);
