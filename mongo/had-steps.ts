import type mongoose from "mongoose";

const AT_A_TIME = 1_000;

interface Recipient {
  _id: string;
  campaignId: string;
  nextStepId?: string | null;
  had?: HadStep[];
}

interface HadStep {
  stepId: string;
  at: number;
}

interface Done {
  recipientId: string;
  stepId: string;
  sentAt?: Date | null;
  doneAt?: Date | null;
  updatedAt: Date;
}

interface Sequence {
  campaignId: string;
  mode: string;
  steps: { stepId: string }[];
}

/**
 * Records for recipients from before this migration which steps they have passed: those that were sent, skipped or
 * executed. In a sequence without branches, all steps before the recipient's current position count as well, because a
 * step that an earlier edit inserted there must not be sent now. When the migration is resumed, it only reads
 * recipients without such a record.
 */
export async function noteHadSteps(db: mongoose.mongo.Db): Promise<void> {
  const recipients = db.collection<Recipient>("recipients");
  for (let after = ""; ; ) {
    const without = { _id: { $gt: after }, had: { $exists: false } };
    const page = await recipients
      .find(without, { sort: { _id: 1 }, limit: AT_A_TIME, projection: { campaignId: 1, nextStepId: 1 } })
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return;
    const done = await doneBy(
      db,
      page.map(({ _id }) => _id),
    );
    const stepsOf = await linearSteps(db, [...new Set(page.map(({ campaignId }) => campaignId))]);
    const writes = page.map(({ _id, campaignId, nextStepId = null }) => ({
      updateOne: {
        filter: { _id, had: { $exists: false } },
        update: { $set: { had: withThoseBefore(done.get(_id) ?? [], stepsOf.get(campaignId) ?? [], nextStepId) } },
      },
    }));
    await recipients.bulkWrite(writes, { ordered: false });
    after = last._id;
  }
}

async function doneBy(db: mongoose.mongo.Db, ids: string[]): Promise<Map<string, HadStep[]>> {
  const of = { recipientId: { $in: ids }, stepId: { $ne: null } };
  const skipped = { state: "FAILED", "failure.reason": "MISSING_VARIABLE" };
  const fields = { recipientId: 1, stepId: 1, sentAt: 1, doneAt: 1, updatedAt: 1 };
  const found = await Promise.all([
    db
      .collection("sends")
      .find({ ...of, $or: [{ state: { $in: ["SENT", "BOUNCED"] } }, skipped] }, { projection: fields })
      .toArray(),
    db
      .collection("acts")
      .find({ ...of, state: { $in: ["DONE", "FAILED"] } }, { projection: fields })
      .toArray(),
  ]);
  const rows = found.flat() as unknown as Done[];
  const had = new Map<string, HadStep[]>();
  for (const { recipientId, stepId, sentAt, doneAt, updatedAt } of rows) {
    had.set(recipientId, [...(had.get(recipientId) ?? []), { stepId, at: (sentAt ?? doneAt ?? updatedAt).getTime() }]);
  }
  return new Map([...had].map(([id, steps]) => [id, steps.sort((one, other) => one.at - other.at)]));
}

/** The step ids of these campaigns in order. Campaigns whose sequence has branches are absent. */
async function linearSteps(db: mongoose.mongo.Db, campaignIds: string[]): Promise<Map<string, string[]>> {
  const found = await db
    .collection<Sequence>("sequences")
    .find({ campaignId: { $in: campaignIds }, mode: "DEFAULT" }, { projection: { campaignId: 1, "steps.stepId": 1 } })
    .toArray();
  return new Map(found.map(({ campaignId, steps }) => [campaignId, steps.map(({ stepId }) => stepId)]));
}

/**
 * The position of a recipient is the step that it waits for; without one, the step after the last one it has passed.
 */
function withThoseBefore(had: HadStep[], steps: readonly string[], nextStepId: string | null): HadStep[] {
  const isHad = (stepId: string) => had.some((step) => step.stepId === stepId);
  const waitsAt = steps.indexOf(nextStepId ?? "");
  const place = waitsAt >= 0 ? waitsAt : steps.findLastIndex(isHad) + 1;
  const before = steps.slice(0, place).filter((stepId) => !isHad(stepId));
  return [...before.map((stepId) => ({ stepId, at: 0 })), ...had];
}
