import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import type { Recipient as RecipientDocument } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function started(emails: string[]) {
  const workspace = await world.workspace();
  const campaign = await readyCampaign(workspace.rest, workspace.workspaceId, emails);
  const ids: string[] = (await workspace.rest.get(`${campaign.path}/recipients`)).body.items.map(
    (item: { id: string }) => item.id,
  );
  return { ...workspace, ...campaign, ids: ids.reverse(), file: `${campaign.path}/recipients/export` };
}

const rowsOf = (content: string): Record<string, string>[] => parse(content, { columns: true });

test("an export lists recipients newest first, with identity, status, step, variant, mailbox and error", async () => {
  const { rest, workspaceId, campaignId, path, mailbox, ids, file } = await started([]);
  await rest.post("/leads", {
    email: "ada@example.test",
    firstName: "=1+1",
    lastName: 'Love"lace',
    company: "Engines, Ltd",
  });
  await rest.post(`${path}/recipients`, {
    action: "addManual",
    emails: ["ada@example.test", "bob@example.test", "cy@example.test"],
  });
  const { Recipient, Send, Sequence } = scoped(workspaceId);
  const step = (await Sequence.findOne({ campaignId }))?.steps[0];
  const variant = step?.variants[0];
  const stepId = step?.stepId ?? "";
  const mailed = {
    currentStepId: stepId,
    variantByStep: { [stepId]: `${variant?.variantId}` },
    mailboxId: mailbox._id,
    sentCount: 1,
  };
  const at = new Date("2026-03-01T10:00:00Z");
  const bounce = { type: "HARD" as const, reason: "UNKNOWN_USER", code: "5.1.1", diagnostic: "550 no such user" };
  const set = (email: string, $set: Partial<RecipientDocument>) => Recipient.updateOne({ campaignId, email }, { $set });
  await set("ada@example.test", {
    ...mailed,
    status: "REPLIED",
    repliedAt: at,
    lastSentAt: at,
    outcomeNotes: "line 1\r\nline 2",
  });
  await set("bob@example.test", { ...mailed, status: "BOUNCED", bouncedAt: at, bounce });
  await set("cy@example.test", { status: "FAILED", stopReason: "SEND_FAILED" });
  const failed = await Recipient.findOne({ campaignId, email: "cy@example.test" });
  const failure = { reason: "REFUSED", code: "5.7.1", text: "550 not from you" };
  await Send.insert({
    _id: newId("snd"),
    campaignId,
    recipientId: failed?._id ?? "",
    stepId: "stp_1",
    to: "cy@example.test",
    state: "FAILED",
    failure,
  });
  const { status, body } = await rest.get(file);
  expect([status, ids]).toEqual([200, []]);
  expect(body).toMatchObject({ format: "CSV", rowCount: 3, total: 3, url: null, expiresAt: null });
  expect(body.fileName).toMatch(/^recipients-\d{4}-\d\d-\d\d\.csv$/);
  expect(body.content.startsWith(`${body.columns.join(",")}\r\n`)).toBe(true);
  expect(body.content).toContain('ada@example.test,\'=1+1,"Love""lace",');
  expect(rowsOf(body.content)).toMatchObject([
    {
      email: "cy@example.test",
      status: "FAILED",
      stopReason: "SEND_FAILED",
      lastError: "REFUSED 5.7.1 550 not from you",
      step: "",
    },
    {
      email: "bob@example.test",
      status: "BOUNCED",
      bounceType: "HARD",
      lastError: "UNKNOWN_USER 5.1.1 550 no such user",
    },
    {
      email: "ada@example.test",
      lastName: 'Love"lace',
      company: "Engines, Ltd",
      status: "REPLIED",
      outcomeNotes: "line 1\r\nline 2",
      step: "1",
      variant: variant?.label,
      mailbox: mailbox.email,
      sentCount: "1",
      repliedAt: at.toISOString(),
      lastError: "",
    },
  ]);
});

test("an export applies the filters of the list, and returns the columns in the requested order", async () => {
  const { rest, workspaceId, path, ids, file } = await started([
    "ada@example.test",
    "bob@other.test",
    "cy@example.test",
  ]);
  const { Recipient } = scoped(workspaceId);
  await Recipient.updateOne({ _id: `${ids[0]}` }, { $set: { status: "PAUSED", pauseReason: "MANUAL" } });
  await Recipient.updateOne({ _id: `${ids[1]}` }, { $set: { status: "PAUSED", pauseReason: "OUT_OF_OFFICE" } });
  for (const query of [
    ...[
      "",
      "status=PAUSED",
      "status=PENDING,PAUSED",
      "pauseReason=MANUAL",
      "pauseReason=MANUAL,OUT_OF_OFFICE&search=example",
    ],
    ...["search=example.test", "status=REPLIED"],
  ]) {
    const { body: list } = await rest.get(`${path}/recipients?${query}`);
    const { body } = await rest.get(`${file}?${query}&columns=status,email,status`);
    expect([query, body.content]).toEqual([
      query,
      [
        "status,email",
        ...list.items.map((item: { status: string; email: string }) => `${item.status},${item.email}`),
        "",
      ].join("\r\n"),
    ]);
    expect(body.total).toBe(list.total);
  }
});

test("an export of more than 5 MB is downloaded from a link that needs no key, with the same filters and columns", async () => {
  const { rest, workspaceId, campaignId, ids, file } = await started(["ada@example.test", "bob@example.test"]);
  const theirs = await started(["eve@example.test"]);
  const [known] = await scoped(workspaceId).Recipient.find({ _id: `${ids[0]}` });
  if (known === undefined) throw new Error("The recipient is missing");
  const { workspaceId: _, createdAt: __, updatedAt: ___, ...fields } = known;
  const notes = "x".repeat(4_900);
  const many = Array.from({ length: 1_200 }, (_row, n) => ({
    insert: {
      ...fields,
      _id: newId("rcp"),
      cid: `c${n}${known.cid}`,
      email: `n${n}@x.example`,
      status: "PAUSED" as const,
      pauseReason: "MANUAL" as const,
      outcomeNotes: notes,
    },
  }));
  await scoped(workspaceId).Recipient.bulk(many);
  const { body } = await rest.get(`${file}?pauseReason=MANUAL&columns=email,outcomeNotes`);
  expect([body.rowCount, body.total, body.content]).toEqual([1_200, 1_200, null]);
  const answer = await fetch(world.baseUrl + new URL(body.url).pathname);
  expect([answer.status, answer.headers.get("content-disposition")]).toEqual([
    200,
    `attachment; filename=${body.fileName}`,
  ]);
  const rows = rowsOf(await answer.text());
  expect([rows.length, Object.keys(rows[0] ?? {}), rows[0]?.["email"]]).toEqual([
    1_200,
    ["email", "outcomeNotes"],
    "n1199@x.example",
  ]);
  expect(rows.map(({ email }) => email)).not.toContain("bob@example.test");
  const foreign = await theirs.rest.get(file);
  expect([foreign.status, foreign.body.code, campaignId === theirs.campaignId]).toEqual([
    404,
    "CAMPAIGN_NOT_FOUND",
    false,
  ]);
}, 60_000);

test("an export without recipients contains only the header; unknown columns, filters and campaigns and a missing scope are refused", async () => {
  const { rest, withScopes, path, file } = await started([]);
  expect((await rest.get(`${file}?columns=email,id`)).body).toMatchObject({
    rowCount: 0,
    total: 0,
    content: "email,id\r\n",
  });
  for (const query of [
    "columns=",
    "columns=email,secret",
    "columns=searchWords",
    "status=active",
    "pauseReason=x",
    "search=",
    "page=1",
  ]) {
    expect([query, (await rest.get(`${file}?${query}`)).status]).toEqual([query, 400]);
  }
  expect(await rest.get(`/campaigns/${newId("cmp")}/recipients/export`)).toMatchObject({
    status: 404,
    body: { code: "CAMPAIGN_NOT_FOUND" },
  });
  expect(await (await withScopes("campaigns:read", "leads:read")).get(`${path}/recipients/export`)).toMatchObject({
    status: 403,
    body: { details: { requiredScope: "recipients:read" } },
  });
});
