import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { until } from "../fakes/wait.ts";
import { allMails, press, startWarmupWorld, type WarmupWorld } from "./warmup-world.ts";

const ANN = "ann@a.test";
const BOB = "bob@b.test";
let here: WarmupWorld;

beforeAll(async () => {
  here = await startWarmupWorld({ workspaces: [[ANN], [BOB]] });
});
afterAll(() => here.close());

test("two mailboxes of two workspaces write to each other, read, answer and put away, and none of it stands in an inbox", async () => {
  for (const email of [ANN, BOB]) {
    const { rest, mailboxId } = here.of(email);
    const { status, body } = await rest.post("/warmup/manage", { action: "start", mailboxId, config: { start: 12, replyRate: 0.6 } });
    expect([status, body.status, body.dayNumber]).toEqual([200, "ACTIVE", 1]);
  }
  const planned = async () => (await allMails()).filter(({ kind }) => kind === "OPENING").length === 10;
  await until(planned, { deadlineMs: 30_000, what: "the plan of the day" });
  await press(1_000);
  for (const { workspaceId, mailboxId } of here.mailboxes.values()) {
    const { nudge } = await import("../../store/outbox.ts");
    await nudge(workspaceId, "WARMUP", { mailboxId, signal: "changed" });
  }
  const filed = async () => (await allMails()).every(({ state, engaged }) => state === "SENT" && engaged.filedAt !== null);
  await until(filed, { deadlineMs: 20_000, what: "every mail to be read and put away" }).catch((e) => console.log(e.message));
  for (const m of await allMails())
    console.log(
      m.kind,
      m.turn,
      m.state,
      m.dueAt.toISOString(),
      m.sentAt?.toISOString(),
      m.landed?.folder,
      JSON.stringify(m.wish),
      m.engageAt?.toISOString(),
      JSON.stringify(m.engaged),
    );
  for (const email of [ANN, BOB]) {
    const { rest, mailboxId } = here.of(email);
    console.log(
      JSON.stringify((await rest.get(`/warmup/enrolments/${mailboxId}`)).body),
      JSON.stringify((await rest.get(`/warmup/enrolments/${mailboxId}/heatmap?days=2`)).body),
    );
    expect((await rest.get("/inbox/threads")).body.total).toBe(0);
    console.log(here.sandbox.imapOf(email).folder("Warmup").length, here.sandbox.imapOf(email).folder("INBOX").length);
  }
});
