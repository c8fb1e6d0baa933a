import { expect, test } from "@jest/globals";
import { blankLead } from "../../domain/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { newLead } from "../../store/leads/new-lead.ts";
import { emit } from "../../store/outbox.ts";
import { until } from "../fakes/wait.ts";
import { signedIn } from "../support/signed-in.ts";
import type { Look } from "./chromium.ts";
import { leadOf, useSetup, visit, withLeads, world } from "./leads-setup.ts";

useSetup();

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "the pages of leads, of one lead and of the block list have no accessibility fault and fit the window: %p",
  async (look) => {
    const person = await withLeads();
    await person.rest.post("/block-list", { value: "rival.test", reason: "Competes" });
    const { page, check } = await visit(person, `${person.at}/leads`, look);
    await page.getByRole("link", { name: "ada@engines.test" }).waitFor();
    await page.getByLabel("Choose ada@engines.test").check();
    await check("the leads");
    await page.getByRole("button", { name: "Suppress" }).click();
    await page.getByRole("dialog").getByText("Nothing is sent to this person any more").waitFor();
    await check("what suppressing does");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "ada@engines.test" }).click();
    await page.getByText("added to a campaign").waitFor();
    await check("one lead");
    await page.getByRole("button", { name: "Notes 1" }).click();
    await page.getByText("Likes numbers").waitFor();
    await check("its notes");
    await page.getByRole("link", { name: "Block list" }).click();
    await page.getByText("rival.test").waitFor();
    await check("the block list");
    await page.getByRole("button", { name: "Block…" }).click();
    await page.getByLabel("Address or domain").fill("acme.test");
    await page.getByText("anyone at acme.test or its subdomains").waitFor();
    await check("blocking");
  },
  60_000,
);

test("the history of a lead is shown in pages, with each event in words", async () => {
  const person = await withLeads();
  const { workspaceId, ada } = person;
  for (let number = 1; number <= 60; number++) {
    await emit(workspaceId, { type: "CLICK", leadId: ada, data: { url: `https://acme.test/${number}` } });
  }
  await emit(workspaceId, {
    type: "TASK_ADDED",
    leadId: ada,
    data: { title: "Call", note: "x".repeat(5_000), assignee: null },
  });
  await emit(workspaceId, { type: "CATEGORY_SET", leadId: ada, data: { category: "INTERESTED", threadId: "thr_one" } });
  const { page, check } = await visit(person, `${person.at}/leads/${ada}`);
  await page.getByText("task added").waitFor();
  expect(await page.getByRole("link", { name: "the conversation" }).getAttribute("href")).toBe(
    `${person.at}/inbox?open=thr_one`,
  );
  await page.getByText("https://acme.test/60").waitFor();
  await page.getByText("The whole text").click();
  await check("a long history");
  expect(await page.getByText("lead created").count()).toBe(0);
  await page.getByRole("button", { name: "Earlier" }).click();
  await page.getByText("lead created").waitFor();
  await page.getByText("lead changed").waitFor();
  expect(new URL(page.url()).search).toBe("?page=2");
  await page.getByRole("button", { name: "Later" }).click();
  await page.getByText("task added").waitFor();
}, 60_000);

test("blocking and unblocking an entry show the effect first, and an error is shown beside the field", async () => {
  const person = await withLeads();
  const { rest } = person;
  const { page, check } = await visit(person, `${person.at}/block-list`);
  await page.getByText("Nothing blocked yet.").waitFor();
  await page.getByRole("button", { name: "Block…" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Address or domain").fill("co.uk");
  await form.getByRole("button", { name: "Block" }).click();
  await form.getByText("is a public suffix, which many owners share").waitFor();
  await check("a value that is refused");
  await form.getByLabel("Address or domain").fill("Ada@Engines.test");
  await form.getByLabel("Reason").fill("Asked by phone");
  await form.getByText("Nothing is sent to Ada@Engines.test any more").waitFor();
  await form.getByRole("button", { name: "Block" }).click();
  await page.getByRole("rowheader", { name: "ada@engines.test" }).waitFor();
  expect((await rest.get("/block-list")).body).toMatchObject([
    { value: "ada@engines.test", type: "EMAIL", reason: "Asked by phone" },
  ]);
  expect((await rest.get(`/leads/${person.ada}`)).body.campaigns).toMatchObject([{ status: "SUPPRESSED" }]);
  await page.getByRole("button", { name: "Unblock" }).click();
  await page.getByRole("dialog").getByText("stay removed").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Unblock" }).click();
  await page.getByText("Nothing blocked yet.").waitFor();
  expect((await rest.get("/block-list")).body).toEqual([]);
}, 60_000);

const LONG = 5_000;

const HOSTILE = [
  '<img src=x onerror="alert(1)"><script>alert(2)</script>',
  `${"W".repeat(LONG)}`,
  "حملة الربيع من القاهرة",
  "Z̸̢̛a̷l̵g̸o̶ 👩‍👩‍👧‍👦 é",
  `javascript:alert(1) ${"‮"}evil`,
];

test("the fields of a lead are shown as text, and do not widen the page, whatever they contain", async () => {
  const person = await signedIn(world);
  const { workspaceId, rest } = person;
  const ids = [];
  for (const [index, text] of HOSTILE.entries()) {
    const texts = [
      "firstName",
      "lastName",
      "fullName",
      "company",
      "website",
      "jobTitle",
      "phone",
      "city",
      "state",
      "country",
      "timezone",
    ];
    const said = Object.fromEntries(texts.map((name) => [name, text]));
    const content = {
      ...blankLead(`h${index}@x.test`, "x.test"),
      ...said,
      tags: [text],
      customFields: { [text.slice(0, 60).replaceAll(/[.$]/g, "")]: text },
    };
    const { _id } = await scoped(workspaceId).Lead.insert(
      newLead(content, [], { kind: "IMPORT", actor: null, name: text, id: null, source: text, at: new Date() }),
    );
    await emit(workspaceId, { type: "REPLIED", leadId: _id, data: { from: text } });
    await scoped(workspaceId).BlockListEntry.insert({
      _id: newId("blk"),
      value: `${index}.test`,
      type: "DOMAIN",
      reason: text,
      createdBy: null,
    });
    await scoped(workspaceId).Note.insert({ _id: newId("note"), leadId: _id, authorUserId: person.userId, body: text });
    ids.push(_id);
  }
  await rest.post("/campaigns", { name: "Spring" });
  const { page, check, complaints } = await visit(person, `/w/${workspaceId}/leads`, { width: 380 });
  await page.getByRole("link", { name: "h0@x.test" }).waitFor();
  await page
    .locator("td bdi")
    .filter({ hasText: HOSTILE[0] ?? "" })
    .first()
    .waitFor();
  await check("hostile names");
  for (const id of ids) {
    await page.goto(`${world.baseUrl}/w/${workspaceId}/leads/${id}`);
    await page.locator(".timeline").getByText("replied").waitFor();
    await check(`a hostile lead ${id}`);
  }
  await page.goto(`${world.baseUrl}/w/${workspaceId}/leads/${ids[1]}?part=notes`);
  await page.getByText("The whole text").last().click();
  await check("a long note");
  await page.goto(`${world.baseUrl}/w/${workspaceId}/block-list`);
  await page.getByText("0.test").waitFor();
  await check("hostile reasons");
  expect(complaints).toEqual([]);
}, 60_000);

const MANY = 100_120;

test("a hundred thousand leads can be paged up to the limit, searched and filtered, with at most three requests a page", async () => {
  const person = await signedIn(world);
  const { workspaceId } = person;
  await storeMany(workspaceId);
  const { page, check } = await visit(person, "/");
  const asked: string[] = [];
  page.on("request", (request) => {
    const [, path = ""] = request.url().split("/console/api/v1");
    if (/^\/lead/.test(path)) asked.push(path);
  });
  // A busy database counts in the background, and until then the page says "about"
  const open = (query: string, found: RegExp) =>
    until(
      async () => {
        asked.length = 0;
        await page.goto(`${world.baseUrl}/w/${workspaceId}/leads${query}`);
        await page
          .getByText(found)
          .or(page.getByText(/ of about /))
          .waitFor();
        expect(asked.length).toBeLessThanOrEqual(3);
        return page.getByText(found).isVisible();
      },
      { deadlineMs: 60_000, what: String(found) },
    );
  await open("", /^1 to 50 of 100,120$/);
  expect(await page.getByRole("row").count()).toBe(51);
  await check("the first page");
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText(/^51 to 100 of 100,120$/).waitFor();
  await open("?page=2001", /^100,001 to 100,050 of 100,120$/);
  await page.getByText("The list ends here").waitFor();
  expect(await page.getByRole("button", { name: "Next page" }).getAttribute("aria-disabled")).toBe("true");
  await open("?page=2002", /The list ends here for now/);
  await open("?search=person.77777", /^1 lead$/);
  await page.getByRole("link", { name: "person.77777@company-777.test" }).waitFor();
  await open("?status=WON&order=email", /^1 to 50 of 10,012$/);
  await check("a filter of many");
}, 120_000);

async function storeMany(workspaceId: string): Promise<void> {
  const { Lead } = scoped(workspaceId);
  const pattern = await Lead.insert({
    _id: newId("led"),
    ...blankLead("person.first@company-0.test", "company-0.test"),
  });
  for (let start = 1; start < MANY; start += 5_000) {
    const numbers = Array.from({ length: Math.min(5_000, MANY - start) }, (_, index) => start + index);
    await Lead.bulk(numbers.map((number) => ({ insert: { ...pattern, _id: newId("led"), ...leadOf(number) } })));
  }
}
