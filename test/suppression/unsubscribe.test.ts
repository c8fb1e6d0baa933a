import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { signToken } from "../../domain/access/tokens.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { loadGuardReasons } from "../../store/suppression/suppress.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function mailed() {
  const { workspaceId } = await world.workspace();
  const to = `${newId("led").toLowerCase()}@customer.test`;
  const { Lead, Recipient, Send } = scoped(workspaceId);
  const [leadId, campaignId, recipientId, sendId] = [newId("led"), newId("cmp"), newId("rcp"), newId("snd")];
  await Lead.insert({ _id: leadId, email: to, emailDomain: "customer.test" });
  await Recipient.insert({ _id: recipientId, campaignId, leadId, email: to, shard: 0, cid: newId("rcp"), status: "IN_PROGRESS" });
  await Send.insert({ _id: sendId, to, recipientId, leadId, campaignId, state: "SENT" });
  return { workspaceId, to, recipientId, url: `${world.baseUrl}/u/${signToken(world.services.signing, "u", sendId)}`, sendId };
}

const isOut = async (workspaceId: string, to: string) =>
  (await loadGuardReasons(workspaceId, [to])).get(to)?.includes("UNSUBSCRIBED") ?? false;

test.each([
  ["the one-click form", { body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }],
  ["a multipart form", { body: formOf("List-Unsubscribe", "One-Click") }],
  ["another body", { body: "{", headers: { "Content-Type": "application/json" } }],
  ["no body", {}],
])("a POST with %s unsubscribes before it is answered", async (_name, init) => {
  const { workspaceId, to, recipientId, url } = await mailed();
  const answer = await fetch(url, { method: "POST", redirect: "manual", ...init });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(await isOut(workspaceId, to)).toBe(true);
  expect(await scoped(workspaceId).Recipient.get(recipientId)).toMatchObject({ status: "UNSUBSCRIBED" });
});

test("unsubscribing again changes nothing and gets the same response", async () => {
  const { workspaceId, url } = await mailed();
  const events = () => scoped(workspaceId).ActivityEvent.count({ type: "UNSUBSCRIBE" });
  expect((await fetch(url, { method: "POST" })).status).toBe(200);
  expect(await events()).toBe(1);
  expect((await fetch(url, { method: "POST" })).status).toBe(200);
  expect(await events()).toBe(1);
});

test("opening the page changes nothing, and the page loads and runs nothing", async () => {
  const { workspaceId, to, url } = await mailed();
  const page = await fetch(url);
  expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'; form-action 'self'/);
  const html = await page.text();
  expect(html.match(/<button/g)).toHaveLength(1);
  expect(html).toContain('method="post"');
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  expect(await isOut(workspaceId, to)).toBe(false);
});

test("a token that was not signed by us for this purpose is 404", async () => {
  const { url, sendId } = await mailed();
  const forOpens = signToken(world.services.signing, "o", sendId);
  const forNothing = signToken(world.services.signing, "u", newId("snd"));
  for (const token of ["x", forOpens, forNothing, `${url.split("/u/")[1]}x`]) {
    expect((await fetch(`${world.baseUrl}/u/${token}`, { method: "POST" })).status).toBe(404);
  }
});

function formOf(name: string, value: string): FormData {
  const form = new FormData();
  form.set(name, value);
  return form;
}
