import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { lostMail, useSetup, world } from "./resolve-setup.ts";

useSetup();

test("an email that an operator marks as sent becomes SENT, and its recipient continues with the next step", async () => {
  const { resolve, send, recipient, stepId, mails } = await lostMail();
  expect([mails.length, (await send())?.state]).toEqual([1, "UNKNOWN"]);
  expect(await resolve("markSent")).toMatchObject({
    status: 200,
    body: { state: "SENT", unknownAt: expect.any(String) },
  });
  const goesOn = await recipient();
  expect(goesOn).toMatchObject({ status: "IN_PROGRESS", currentStepId: stepId, sentCount: 1 });
  expect(goesOn.nextStepId).not.toBe(stepId);
  expect(await resolve("markSent")).toMatchObject({ status: 200, body: { state: "SENT" } });
  expect((await recipient()).sentCount).toBe(1);
  for (const action of ["markNotSent", "resend"]) {
    expect(await resolve(action)).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", details: { from: "SENT", action } },
    });
  }
  expect((await send())?.state).toBe("SENT");
});

test("an email that an operator marks as not sent fails with its recipient and is never sent; marking the email as sent lets the recipient continue", async () => {
  const { resolve, send, recipient, resume, look, mails, stepId } = await lostMail();
  expect(await resolve("markNotSent")).toMatchObject({
    status: 200,
    body: { state: "FAILED", failure: { reason: "SEND_UNKNOWN" } },
  });
  expect(await recipient()).toMatchObject({ status: "FAILED", stopReason: "SEND_UNKNOWN", nextStepId: null });
  expect((await resolve("markNotSent")).status).toBe(200);
  await look();
  expect(mails).toHaveLength(1);
  expect(await resolve("markSent")).toMatchObject({ status: 200, body: { state: "SENT" } });
  expect(await recipient()).toMatchObject({
    status: "IN_PROGRESS",
    stopReason: null,
    currentStepId: stepId,
    sentCount: 1,
  });
  expect((await resume()).body.items[0].error).toBeNull();
  expect((await send())?.generation).toBe(0);
});

test("an email of unknown outcome is sent again only when an operator asks, under a new generation", async () => {
  const { resolve, send, recipient, look, mails, stepId } = await lostMail();
  await look();
  expect(mails).toEqual([`${stepId} 0`]);
  expect((await resolve("resend")).status).toBe(200);
  expect(await send()).toMatchObject({ generation: 1, unknownAt: null });
  // It is on its way: another word would undo a booking or a claim that may become an email
  expect(await resolve("resend")).toMatchObject({ status: 409, body: { details: { from: "RELEASED" } } });
  for (let looks = 0; looks < 3; looks++) await look();
  expect(mails).toEqual([`${stepId} 0`, `${stepId} 1`]);
  expect((await resolve("markNotSent")).status).toBe(200);
  expect((await resolve("resend")).status).toBe(200);
  expect(await recipient()).toMatchObject({ status: "IN_PROGRESS", nextStepId: stepId });
});

test.each(["suppressed", "replied", "completed"])(
  "an operator cannot resend an email to a recipient that was %s meanwhile",
  async (stop) => {
    const { rest, path, resolve, recipient, look, mails, evidence, workspaceId, recipientId } = await lostMail();
    const leadIds = [(await recipient()).leadId];
    if (stop === "suppressed") await rest.post("/leads/suppress", { action: "suppress", ids: leadIds });
    if (stop === "replied")
      await scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { status: "REPLIED" } });
    if (stop === "completed") await rest.post(`${path}/control`, { action: "complete" });
    const before = (await recipient()).status;
    expect(await resolve("resend")).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } });
    expect((await resolve("markNotSent")).status).toBe(200);
    expect((await resolve("resend")).status).toBe(409);
    await evidence();
    await look();
    expect(mails).toHaveLength(1);
    // A campaign that ends ends its open recipients a little later, so the word about the mail came first
    expect((await recipient()).status).toBe(stop === "completed" ? "FAILED" : before);
  },
);

test("resolving an email requires the scope to launch and an email of the campaign, and is recorded in the audit log", async () => {
  const { rest, resolve, path, withScopes, sendId, workspaceId, send } = await lostMail();
  const weak = await withScopes("campaigns:read", "recipients:write");
  expect((await weak.post(`${path}/sends/${sendId}/resolve`, { action: "resend" })).status).toBe(403);
  expect(await resolve("markSent", "snd_other")).toMatchObject({ status: 404, body: { code: "SEND_NOT_FOUND" } });
  const other = (await rest.post("/campaigns", { name: "Other" })).body.id;
  expect(await rest.post(`/campaigns/${other}/sends/${sendId}/resolve`, { action: "resend" })).toMatchObject({
    body: { code: "SEND_NOT_FOUND" },
  });
  const foreign = await world.workspace();
  expect((await foreign.rest.post(`${path}/sends/${sendId}/resolve`, { action: "resend" })).status).toBe(404);
  expect(await resolve("again")).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect((await send())?.state).toBe("UNKNOWN");
  await resolve("markNotSent");
  const entries = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  const told = entries.filter(({ action }) => action.startsWith("sends."));
  expect(told.map(({ action, outcome }) => [action, outcome])).toEqual([
    // Refused before the body was read
    ["sends.markSent, sends.markNotSent, sends.resend", "DENIED"],
    ["sends.markSent", "FAILED"],
    ["sends.resend", "FAILED"],
    ["sends.markNotSent", "DONE"],
  ]);
  expect(told.at(-1)).toMatchObject({ target: { sendId }, changed: expect.arrayContaining(["state"]) });
});
