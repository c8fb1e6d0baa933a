import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { judgeMailbox } from "../../store/mailboxes/health.ts";
import { loadGround, targetOn } from "../../store/warmup/ground.ts";
import { planWarmupRound } from "../../store/warmup/plan-round.ts";
import { refreshWarmup } from "../../store/warmup/refresh.ts";
import { startWorld, type World } from "../support/world.ts";
import { arrives, enrolled, plant, rawMail } from "./planted.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

/** Emails of a mailbox that came to another, some of them into Junk. */
async function came(from: Mailbox, to: Mailbox, mails: number, inJunk: number): Promise<void> {
  for (let number = 0; number < mails; number++) {
    const { messageId, subject } = await plant(from, to);
    const raw = rawMail({ From: from.email, To: to.email, Subject: subject, "Message-ID": messageId });
    const place = number < inJunk ? ({ folder: "Junk", folderUse: "JUNK" } as const) : {};
    const read = await arrives(world, to, raw, place);
    // The same mail seen again, elsewhere
    if (number === 0) await arrives(world, to, raw, { folder: "INBOX", folderUse: "INBOX" });
    expect(read.kind).toBe("WARMUP");
  }
}

const enrolmentOf = ({ workspaceId, _id }: Mailbox) => scoped(workspaceId).WarmupEnrolment.get(_id);

test("the placement of a mailbox's warmup emails decides its health band, and each email counts once", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  await came(ann, bob, 19, 3);
  expect((await judgeMailbox(ann.workspaceId, ann._id))?.health).toMatchObject({ band: "HEALTHY" });
  await came(ann, bob, 1, 1);
  const { health } = (await judgeMailbox(ann.workspaceId, ann._id)) ?? {};
  expect(health).toMatchObject({ band: "QUARANTINED", measure: "SPAM_RATE", numerator: 4, denominator: 20 });
  expect((await judgeMailbox(bob.workspaceId, bob._id))?.health.band).toBe("HEALTHY");
  // Quarantine stops campaigns, not the warmup that measures whether it is over
  const ground = await refreshWarmup(ann.workspaceId, ann._id);
  expect([ground?.enrolment.status, ground === null ? 0 : targetOn(ground, Date.now(), false)]).toEqual(["ACTIVE", 3]);
});

test("a BLOCKED mailbox is suspended and loses its planned warmup emails, and warms up again when the band ends", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  await came(ann, bob, 20, 8);
  await WarmupMail.deleteMany({});
  await planWarmupRound("ALL", () => {});
  const planned = () => WarmupMail.countDocuments({ fromMailboxId: ann._id, state: "PLANNED" });
  expect(await planned()).toBeGreaterThan(0);
  expect((await judgeMailbox(ann.workspaceId, ann._id))?.health.band).toBe("BLOCKED");
  await refreshWarmup(ann.workspaceId, ann._id);
  expect(await enrolmentOf(ann)).toMatchObject({ status: "SUSPENDED", statusReason: "BLOCKED" });
  expect(await planned()).toBe(0);
  await planWarmupRound("ALL", () => {});
  expect(await planned()).toBe(0);

  const over = new Date(Date.now() + 30 * DAY_MS + HOUR_MS);
  expect((await judgeMailbox(ann.workspaceId, ann._id, over))?.health).toMatchObject({
    band: "QUARANTINED",
    phase: "PROBE",
  });
  await refreshWarmup(ann.workspaceId, ann._id);
  expect(await enrolmentOf(ann)).toMatchObject({ status: "ACTIVE", statusReason: null, replanAt: expect.any(Date) });
  const ground = await loadGround(ann.workspaceId, ann._id);
  expect(ground === null ? 0 : targetOn(ground, Date.now(), false)).toBe(3);
});
