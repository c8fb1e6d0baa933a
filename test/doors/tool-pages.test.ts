import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { fitText, MOST_CHARACTERS } from "../../mcp/fit.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { csvPageOf, csvPartOf } from "../../operations/csv-export.ts";
import { answerOf, newMailbox, startInbox } from "../inbox/inbox-parts.ts";
import { agentOf } from "../support/mcp.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

type Agent = Awaited<ReturnType<typeof agentOf>>;

/** Every answer of a tool from its first page to its last, by `next`. */
async function pagesOf(agent: Agent, tool: string, first: Record<string, unknown>) {
  const bodies = [];
  let ask: Record<string, unknown> | null = first;
  while (ask !== null) {
    const { body, text, isError } = await agent.call(tool, ask);
    expect([isError, text.length <= MOST_CHARACTERS]).toEqual([false, true]);
    bodies.push(body);
    ask = body.next ? { ...first, ...body.next } : null;
  }
  return bodies;
}

function rowsOf(csv: string): Record<string, string>[] {
  return parse(csv, { columns: true, bom: true, skip_empty_lines: true });
}

const NOTE = 'She said "call me",\r\nthen "no, write".\n\t'.repeat(60);

test("an export and a search of 300 leads with long quoted notes return each lead once and whole", async () => {
  const { key, rest, workspaceId } = await world.workspace();
  const rows = Array.from({ length: 300 }, (_, at) => ({ email: `lead${at}@people.test`, note: `${at} ${NOTE}` }));
  await rest.post("/leads/import", { action: "commit", rows, keepUnmapped: true });
  const stored = await scoped(workspaceId).Lead.find({}, {});
  const notes = new Map(stored.map(({ email, customFields }) => [email, customFields["note"]]));
  const agent = await agentOf(world, key);
  const exported = (await pagesOf(agent, "leads_export", { pageSize: 200 })).flatMap(({ content }) => rowsOf(content));
  expect(exported).toHaveLength(300);
  expect(new Map(exported.map((row) => [row["email"], row["customFields.note"]]))).toEqual(notes);
  const found = (await pagesOf(agent, "leads_search", { pageSize: 200 })).flatMap(({ items }) => items);
  expect(new Map(found.map(({ email, customFields }) => [email, customFields.note]))).toEqual(notes);
  expect(found).toHaveLength(300);
  await agent.close();
}, 60_000);

test("a lead with a cell of 25,000 characters is exported in parts, with its id and a URL of its row, and its neighbours are whole", async () => {
  const { key, workspaceId, rest } = await world.workspace();
  const long = `"Long", ${"äöü😀 \n".repeat(3_600)}`.slice(0, 25_000);
  for (const name of ["one", "two", "three"]) await rest.post("/leads", { email: `${name}@people.test` });
  const { Lead } = scoped(workspaceId);
  await Lead.updateOne({ email: "two@people.test" }, { $set: { website: long } });
  const agent = await agentOf(world, key);
  const pages = await pagesOf(agent, "leads_export", { pageSize: 3 });
  expect(pages.map(({ rowCount }) => rowCount)).toEqual([1, 0, 1]);
  const [, { longRow, url, content }] = pages;
  expect(longRow.id).toBe((await Lead.findOne({ email: "two@people.test" }))?._id);
  let line: string = longRow.text;
  let parts = 1;
  for (let offset = longRow.nextOffset; offset !== null; parts++) {
    // The row is read by its id, so that leads that come meanwhile shift nothing
    await rest.post("/leads", { email: `late${parts}@people.test` });
    const { body } = await agent.call("leads_export", { rowId: longRow.id, offset });
    expect(body.longRow.text.isWellFormed()).toBe(true);
    expect([body.url, body.longRow.id]).toEqual([null, longRow.id]);
    line += body.longRow.text;
    offset = body.longRow.nextOffset;
  }
  expect(parts).toBeLessThanOrEqual(3);
  expect(rowsOf(content + line)[0]).toMatchObject({ email: "two@people.test", website: long });
  const file = await (await fetch(`${world.baseUrl}${new URL(url).pathname}`)).text();
  expect(rowsOf(file)).toEqual([expect.objectContaining({ email: "two@people.test", website: long })]);
  const short = await Lead.findOne({ email: "one@people.test" });
  expect((await agent.call("leads_export", { rowId: short?._id, offset: 3 })).body).toMatchObject({ url: null });
  expect((await agent.call("leads_export", { offset: 3 })).body).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { issues: [{ path: "rowId" }] },
  });
  expect((await agent.call("leads_export", { rowId: "led_unknown" })).body.code).toBe("LEAD_NOT_FOUND");
  const lead = (await agent.call("leads_search", { search: "two" })).body.items[0];
  let website = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { body } = await agent.call("leads_get", { leadId: lead.id, offset });
    expect(body.website.isWellFormed()).toBe(true);
    website += body.website;
    offset = body.nextOffset;
  }
  expect(website).toBe(long);
  const around = await pagesOf(agent, "leads_search", { pageSize: 3 });
  expect(around.flatMap(({ items }) => items.map(({ email }: { email: string }) => email)).sort()).toEqual([
    "late1@people.test",
    "one@people.test",
    "three@people.test",
    "two@people.test",
  ]);
  await agent.close();
}, 60_000);

test("one long row among 200 leads, or a few wide ones, leave the other pages of an export as large as requested", async () => {
  const { key, rest, workspaceId } = await world.workspace();
  const rows = Array.from({ length: 200 }, (_, at) => ({ email: `row${at}@people.test` }));
  await rest.post("/leads/import", { action: "commit", rows });
  const { Lead } = scoped(workspaceId);
  await Lead.updateOne({ email: "row120@people.test" }, { $set: { website: "w".repeat(30_000) } });
  for (const at of [150, 151])
    await Lead.updateOne({ email: `row${at}@people.test` }, { $set: { website: "w".repeat(20_000) } });
  const agent = await agentOf(world, key);
  const pages = await pagesOf(agent, "leads_export", { pageSize: 200 });
  expect(pages.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(199);
  expect(pages.flatMap(({ longRow }) => longRow ?? [])).toHaveLength(1);
  expect(pages.flatMap(({ next }) => next?.pageSize ?? [])).toEqual(Array(pages.length - 1).fill(200));
  expect(pages.length).toBeLessThanOrEqual(15);
  await agent.close();
}, 60_000);

test("leads that are created and deleted between the pages of an export shift no other row", async () => {
  const { key, rest, workspaceId } = await world.workspace();
  const rows = Array.from({ length: 90 }, (_, at) => ({ email: `row${at}@people.test`, note: `${at} ${NOTE}` }));
  await rest.post("/leads/import", { action: "commit", rows, keepUnmapped: true });
  const { Lead } = scoped(workspaceId);
  const agent = await agentOf(world, key);
  const first = { pageSize: 50, search: "row" };
  const met: string[] = [];
  let ask: Record<string, unknown> | null = first;
  for (let page = 0; ask !== null; page++) {
    const { body } = await agent.call("leads_export", ask);
    const emails = rowsOf(body.content).map(({ email }) => email ?? "");
    met.push(...emails);
    // Leads that were read go, and another comes before all
    for (const email of emails.slice(0, 3)) await Lead.deleteOne({ email });
    await rest.post("/leads", { email: `rowlate${page}@people.test` });
    ask = body.next === null ? null : { ...first, ...body.next };
  }
  expect(met.toSorted()).toEqual(rows.map(({ email }) => email).toSorted());
  await agent.close();
}, 60_000);

test("an export with long filters and more custom fields than a page can name loses no character", async () => {
  const { key, workspaceId, rest } = await world.workspace();
  const tags = Array.from({ length: 50 }, (_, at) => `${at} ${"😀".repeat(20)}`);
  const { Lead } = scoped(workspaceId);
  const fields = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`field "${at}" ${"f".repeat(60)}`, `${at}`]),
  );
  for (const name of ["one", "two"])
    await rest.post("/leads", { email: `${name}@people.test`, tags: tags.slice(0, 1) });
  const rows = Array.from({ length: 4 }, (_, part) => ({
    email: `wide${part}@people.test`,
    tags: tags[0],
    ...Object.fromEntries(Object.entries(fields).slice(part * 100, part * 100 + 100)),
  }));
  const { body: imported } = await rest.post("/leads/import", { action: "commit", rows, keepUnmapped: true });
  expect(imported).toMatchObject({ created: 4 });
  await Lead.updateOne({ email: "two@people.test" }, { $set: { website: "w".repeat(30_000) } });
  const agent = await agentOf(world, key);
  const partsOf = async (part: { id: string; text: string; nextOffset: number | null }) => {
    let { text, nextOffset: offset } = part;
    while (offset !== null) {
      const { body } = await agent.call("leads_export", { tags, rowId: part.id, offset });
      const more = body.longRow ?? body.longHeader;
      [text, offset] = [text + more.text, more.nextOffset];
    }
    return text;
  };
  let csv = "";
  for (const { content, longRow, longHeader, truncated, url } of await pagesOf(agent, "leads_export", { tags })) {
    expect(truncated).toBeUndefined();
    if (longHeader !== null) csv += await partsOf(longHeader);
    csv += content + (longRow === null ? "" : await partsOf(longRow));
    if (longRow !== null) expect((await fetch(`${world.baseUrl}${new URL(url).pathname}`)).status).toBe(200);
  }
  const { content: whole } = (await rest.get("/leads/export")).body;
  expect(csv).toBe(whole);
  await agent.close();
}, 60_000);

test("an email of 60 kB in a long thread is read to its end, and no message of the thread is lost", async () => {
  const { key, workspaceId, rest } = await world.workspace();
  const own = { workspaceId, rest, mailbox: await newMailbox(workspaceId, "ann@a.test") };
  const inbox = await startInbox(world, { own });
  const person = await inbox.contacted("pat@b.test");
  const text = `x${"😀".repeat(8_000)}\n${Array.from({ length: 3_000 }, (_, at) => `Line ${at} "quoted"`).join("\n")}`;
  expect(text.length).toBeGreaterThan(60_000);
  const arrived = await inbox.arrive(answerOf(person, text));
  const { Message } = scoped(workspaceId);
  const first = await Message.findOne({ bodyText: text });
  if (first === null) throw new Error(`the email was not stored: ${JSON.stringify(arrived)}`);
  const { threadId, mailboxId } = first;
  for (let at = 0; at < 30; at++) {
    const sent = { _id: newId("msg"), threadId, mailboxId, contentKey: `extra ${at}`, direction: "INBOUND" as const };
    const more = { kind: "REPLY" as const, from: "pat@b.test", receivedAt: new Date(Date.now() + at * 1_000) };
    await Message.insert({ ...sent, ...more, bodyText: `${at}: ${"Please answer. ".repeat(200)}` });
  }
  const agent = await agentOf(world, key);
  const met: string[] = [];
  let ask: Record<string, unknown> | null = { threadId, messageLimit: 100 };
  while (ask !== null) {
    const { body, text: answer } = await agent.call("inbox_thread_get", ask);
    expect(answer.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    const ids: string[] = body.messages.map(({ id }: { id: string }) => id);
    met.push(...ids);
    ask = body.hasEarlier ? { threadId, messageLimit: 100, beforeMessageId: ids.at(-1) } : null;
  }
  const all = await Message.find({ threadId }, { sort: { receivedAt: -1, _id: -1 } });
  expect(met).toEqual(all.map(({ _id }) => _id));
  const before = all[all.findIndex(({ _id }) => _id === first._id) - 1]?._id;
  let read = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const args = { threadId, messageLimit: 1, offset, ...(before !== undefined && { beforeMessageId: before }) };
    const { body } = await agent.call("inbox_thread_get", args);
    expect(body.messages[0].body.isWellFormed()).toBe(true);
    read += body.messages[0].body;
    offset = body.nextOffset;
  }
  expect(read).toBe(text);
  await agent.close();
}, 60_000);

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom('"', "\n", "😀", "a,b").chain((part) => fc.nat(9_000).map((times) => part.repeat(times))),
);

const sizes = fc.constantFrom(200, 100, 50, 7, 1);
const headers = fc.constantFrom("a", "b".repeat(7_900), "c".repeat(11_000), "d".repeat(15_000), '"'.repeat(70_000));

/** As long as what the tool answers beside the fields of a page. */
const AROUND = { untrusted: true, fileName: "leads-2026-01-01.csv", url: "u".repeat(500), expiresAt: new Date() };

test("pages of CSV return each row and the header once and whole, or in parts that join to it, whatever they contain", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 60 }), sizes, headers, (texts, pageSize, column) => {
      const rows = texts.map((text, at) => ({ id: `${at}`, line: `${at} ${text}\r\n` }));
      const source = { columns: [column], header: `${column}\r\n`, total: rows.length };
      const wholeOf = (line: string, part: { id: string; text: string; nextOffset: number | null } | null) => {
        let [text, next] = [part?.text ?? "", part?.nextOffset ?? null];
        for (; next !== null; ) {
          const more: ReturnType<typeof csvPartOf> = csvPartOf({ id: part?.id ?? "", line }, next);
          expect(fitText({ ...AROUND, longRow: more }).isTruncated).toBe(false);
          [text, next] = [text + more.text, more.nextOffset];
        }
        return text;
      };
      let [all, header] = ["", ""];
      let ask: { page: number; pageSize: number } | null = { page: 1, pageSize };
      while (ask !== null) {
        const { page, pageSize }: { page: number; pageSize: number } = ask;
        const of = { ...source, rows: rows.slice((page - 1) * pageSize, page * pageSize) };
        const shown: ReturnType<typeof csvPageOf> = csvPageOf(of, ask);
        expect(fitText({ ...AROUND, ...shown }).isTruncated).toBe(false);
        const repeated = shown.content.startsWith(source.header) ? source.header : "";
        if (ask.page === 1) header = repeated + wholeOf(source.header, shown.longHeader);
        all += shown.content.slice(repeated.length);
        all += wholeOf(rows.find(({ id }) => id === shown.longRow?.id)?.line ?? "", shown.longRow);
        ask = shown.next;
      }
      expect(header).toBe(source.header);
      expect(all).toBe(rows.map(({ line }) => line).join(""));
    }),
    { numRuns: 60 },
  );
});

test("following `next` through the events and the long notes of a lead returns each once", async () => {
  const { key, workspaceId, rest } = await world.workspace();
  const leadId = (await rest.post("/leads", { email: "ada@people.test" })).body.id;
  const { ActivityEvent, Note } = scoped(workspaceId);
  const many = Array.from({ length: 450 }, (_, at) => ({
    at: new Date(),
    type: "LEAD_UPDATED" as const,
    data: { at },
  }));
  await ActivityEvent.storeAll(many.map((event) => ({ _id: newId("evt"), leadId, ...event })));
  await Note.storeAll(
    Array.from({ length: 90 }, (_, at) => ({
      _id: newId("note"),
      leadId,
      authorUserId: "usr_1",
      body: `${at} ${"x".repeat(9_000)}`,
    })),
  );
  const agent = await agentOf(world, key);
  for (const limit of [200, 50, 30]) {
    const events = (await pagesOf(agent, "leads_activity", { leadId, limit })).flatMap(({ items }) => items);
    const updates = events.flatMap(({ type, data }) => (type === "LEAD_UPDATED" ? data.at : []));
    expect(updates.toSorted((a, b) => a - b)).toEqual(many.map((_, at) => at));
  }
  const notes = (await pagesOf(agent, "leads_activity", { leadId, view: "notes", limit: 40 })).flatMap(
    ({ items }) => items,
  );
  const numbers = notes.map(({ body }) => Number.parseInt(body, 10)).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 90 }, (_, at) => at));
  await agent.close();
}, 120_000);
