import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { csvAddressOf, maySheetLeadTo, sheetOf } from "../../domain/leads/sheet.ts";
import { scoped } from "../../models/scoped.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const asked: string[] = [];
const sheets: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
  good: (_req, res) => {
    res.setHeader("Content-Type", "text/csv; charset=utf-8");
    res.setHeader(
      "Content-Disposition",
      "attachment; filename=\"x.csv\"; filename*=UTF-8''Spring%20leads%20-%20B%C3%BCro.csv",
    );
    res.end('\uFEFFEmail,First Name,,Email\r\nada@x.example,"Ada, ""A""",note,second\r\n,,,\r\nbob@x.example\r\n');
  },
  moved: (_req, res) => res.writeHead(307, { Location: "/spreadsheets/d/good/export?format=csv" }).end(),
  private: (_req, res) => res.writeHead(302, { Location: "https://accounts.google.com/ServiceLogin" }).end(),
  inside: (_req, res) => res.writeHead(302, { Location: "http://169.254.169.254/latest/meta-data" }).end(),
  circle: (_req, res) => res.writeHead(302, { Location: "/spreadsheets/d/circle/export?format=csv" }).end(),
  page: (_req, res) => res.setHeader("Content-Type", "text/html").end("<html>Sign in</html>"),
  gone: (_req, res) => res.writeHead(404, { "Content-Type": "text/html" }).end(),
  busy: (_req, res) => res.writeHead(503, { "Content-Type": "text/csv" }).end(),
  quote: (_req, res) => res.setHeader("Content-Type", "text/csv").end('a,b\n"open,1\n'),
  empty: (_req, res) => res.setHeader("Content-Type", "text/csv").end(),
  many: (_req, res) => res.setHeader("Content-Type", "text/csv").end(`email\n${"a@x.example\n".repeat(50_001)}`),
  huge: (_req, res) => {
    res.setHeader("Content-Type", "text/csv");
    const line = Buffer.alloc(1_048_576, "a,b\n");
    let left = 50;
    const more = () => {
      while (left > 0) {
        left--;
        if (!res.write(line)) return;
      }
      res.end();
    };
    res.on("drain", more).on("error", () => {});
    more();
  },
};

let server: Server;
let world: World;
let base: string;
beforeAll(async () => {
  server = createServer((req, res) => {
    asked.push(req.url ?? "");
    const [, id = ""] = /^\/spreadsheets\/d\/([^/]+)\/export/.exec(req.url ?? "") ?? [];
    (sheets[id] ?? sheets["gone"])?.(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  base = `http://127.0.0.1:${port}`;
  world = await startWorld({ worker: realWorker(), settings: { sheetsUrl: base } });
}, 60_000);
afterAll(async () => {
  await world.close();
  server.closeAllConnections();
  server.close();
});

const read = async (url: string) => {
  const { rest } = await world.workspace("leads:write");
  return rest.post("/leads/import", { action: "googleSheet", url });
};

test("the rows of a sheet are returned by column, ready for a dry run and a commit", async () => {
  const { rest, workspaceId } = await world.workspace("leads:write", "leads:read");
  const { status, body } = await rest.post("/leads/import", {
    action: "googleSheet",
    url: `${base}/spreadsheets/d/good/edit#gid=42`,
    source: "PROVIDERA_SHEETS",
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    fileName: "Spring leads - Büro.csv",
    columns: ["Email", "First Name", "Column 3", "Email (2)"],
    rows: [
      { Email: "ada@x.example", "First Name": 'Ada, "A"', "Column 3": "note", "Email (2)": "second" },
      { Email: "bob@x.example", "First Name": "", "Column 3": "", "Email (2)": "" },
    ],
    total: 2,
  });
  expect(asked.at(-1)).toBe("/spreadsheets/d/good/export?format=csv&gid=42");
  expect((await rest.get("/leads")).body.total).toBe(0);
  const { rows, fileName } = body;
  const done = await rest.post("/leads/import", { action: "commit", rows, fileName, source: "PROVIDERA_SHEETS" });
  expect(done.body).toMatchObject({ created: 2 });
  expect(await scoped(workspaceId).JobChunk.count()).toBe(0);
});

test("a redirect between sheet servers is followed, and an address at docs.google.com is requested from the configured server", async () => {
  expect((await read(`${base}/spreadsheets/d/moved/edit`)).body.total).toBe(2);
  expect((await read("https://docs.google.com/spreadsheets/d/good/edit?usp=sharing")).body.total).toBe(2);
  expect((await read("https://docs.google.com/spreadsheets/d/empty/edit")).body).toMatchObject({
    columns: [],
    rows: [],
    total: 0,
  });
});

test.each(["private", "inside", "circle", "page", "gone", "quote", "huge"])(
  'the sheet "%s" is refused as unreadable, and nothing of the request is stored',
  async (id) => {
    const { rest, workspaceId } = await world.workspace("leads:write");
    const answer = await rest.post("/leads/import", {
      action: "googleSheet",
      url: `${base}/spreadsheets/d/${id}/edit`,
    });
    expect(answer).toMatchObject({ status: 422, body: { code: "SHEET_UNREADABLE" } });
    expect(await scoped(workspaceId).JobChunk.count()).toBe(0);
  },
  60_000,
);

test("a sheet with too many rows is refused, and a busy sheet server gives 503, so that the caller can retry", async () => {
  expect(await read(`${base}/spreadsheets/d/many/edit`)).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: 50_000 } },
  });
  expect(await read(`${base}/spreadsheets/d/busy/edit`)).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE" },
  });
});

test.each([
  ["no address", "my sheet", 400, "VALIDATION_FAILED"],
  ["another path", "https://docs.google.com/document/d/abc/edit", 400, "VALIDATION_FAILED"],
  ["credentials in it", "https://u:p@docs.google.com/spreadsheets/d/good/edit", 400, "VALIDATION_FAILED"],
  ["a file", "file:///spreadsheets/d/good", 400, "VALIDATION_FAILED"],
  ["another host", "https://docs.google.com.evil.example/spreadsheets/d/good/edit", 422, "HOST_NOT_ALLOWED"],
  ["an address inside", "http://169.254.169.254/spreadsheets/d/good", 422, "HOST_NOT_ALLOWED"],
  ["nothing", "", 400, "VALIDATION_FAILED"],
])("a sheet address is refused: %s", async (_name, url, status, code) => {
  const before = asked.length;
  expect(await read(url)).toMatchObject({ status, body: { code } });
  expect(asked.length).toBe(before);
});

test("without a configured sheet server the error names the missing setting", async () => {
  const { settings } = world.services;
  settings.sheetsUrl = null;
  try {
    expect(await read("https://docs.google.com/spreadsheets/d/good/edit")).toMatchObject({
      status: 503,
      body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting: "SHEETS_URL" } },
    });
  } finally {
    settings.sheetsUrl = base;
  }
});

test("a sheet is requested only by its ids, and only redirects to sheet servers are followed", () => {
  const usual = "https://docs.google.com";
  expect(sheetOf("https://docs.google.com/spreadsheets/d/1aB_-9/edit?gid=7#gid=7", usual)).toEqual({
    id: "1aB_-9",
    gid: "7",
  });
  expect(sheetOf("https://docs.google.com/spreadsheets/d/1aB/edit?x=../../y#gid=7%0d", usual)).toEqual({
    id: "1aB",
    gid: null,
  });
  expect(csvAddressOf({ id: "1aB", gid: "7" }, usual)).toBe(
    "https://docs.google.com/spreadsheets/d/1aB/export?format=csv&gid=7",
  );
  for (const [url, may] of [
    ["https://doc-0s.sheets.googleusercontent.com/export/x", true],
    ["https://docs.google.com/x", true],
    ["http://docs.google.com/x", false],
    ["https://googleusercontent.com.evil.example/", false],
    ["https://evilgoogleusercontent.com/", false],
    ["https://x.googleusercontent.com:8443/", false],
    ["https://accounts.google.com/", false],
  ] as const) {
    expect([url, maySheetLeadTo(new URL(url), usual)]).toEqual([url, may]);
  }
});
