import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { mail, other } from "../campaigns/campaign-parts.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { SOON, sending, subjectsTo, useSetup } from "./visual-setup.ts";

useSetup();

test("a step does not act while the campaign is paused, and acts once for each recipient after the resume", async () => {
  const { rest } = sending;
  const emails = Array.from({ length: 6 }, (_, index) => `held${index}@people.test`);
  const path = await sending.campaign(emails, [
    other("WAIT", {}, { delay: { value: 0, unit: "MINUTES" } }),
    mail("one", "Held", { conditions: [{ if: "NOT_REPLIED", withinDays: SOON, nextStepId: "task" }] }),
    other("TASK", { title: "Later" }, { stepId: "task" }),
  ]);
  await sending.launch(path);
  await until(() => emails.every((email) => subjectsTo(email).length === 1), { ...MAIL_DEADLINE, what: "the mails" });
  await rest.post(`${path}/control`, { action: "pause" });
  const tasks = async () => {
    const found = await scoped(sending.workspaceId).ActivityEvent.find({
      type: "TASK_ADDED",
      campaignId: path.split("/").at(-1),
    });
    return found.map(({ recipientId }) => recipientId);
  };
  const before = await tasks();
  const pausedAt = Date.now();
  await until(() => Date.now() - pausedAt > 3_000, { ...MAIL_DEADLINE, what: "the days to pass" });
  expect(await tasks()).toHaveLength(before.length);
  await rest.post(`${path}/control`, { action: "resume" });
  await sending.ended(path);
  const after = await tasks();
  expect(after).toHaveLength(emails.length);
  expect(new Set(after).size).toBe(emails.length);
});
