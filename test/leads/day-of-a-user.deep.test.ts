import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { writeXlsx } from "hucre/xlsx";
import { freePort } from "../../embedded/ports.ts";
import { environmentOf, portsOf, runService, type Service } from "../support/service.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "outreach-day-"));
const PORTS = await portsOf();
const SANDBOX = { smtp: await freePort(), imap: await freePort() };
const PATIENCE_MS = 60_000;
const running: Service[] = [];
/** What the guide writes, and what stands here in its place: a person who runs the tests may run a service too. */
const HERE = {
  ".data/": `${FOLDER}/data/`,
  "@Kontakte.xlsx": `@${FOLDER}/Kontakte.xlsx`,
  "localhost:3000": `localhost:${PORTS["PORT"]}`,
  '"smtpPort":1465': `"smtpPort":${SANDBOX.smtp}`,
  '"imapPort":1993': `"imapPort":${SANDBOX.imap}`,
};

afterAll(async () => {
  for (const service of running.toReversed()) await service.end("SIGTERM", 30_000);
  rmSync(FOLDER, { recursive: true, force: true });
});

function begin(variables: Record<string, string>, entry: string, args: string[] = []): Service {
  const service = runService(variables, [], entry, args);
  running.push(service);
  return service;
}

const guide = readFileSync("docs/guides/import.md", "utf8");

/** The table of the guide as a spreadsheet program saves it: days are dates, and numbers are no texts. */
async function saveTable(): Promise<void> {
  const [header = [], , ...rows] = [...guide.matchAll(/^\| (.*@people\.test.*|E-Mail-Adresse.*) \|$/gm)]
    .map(([, line = ""]) => line.split(" | "))
    .flatMap((cells, at) => (at === 0 ? [cells, []] : [cells]));
  expect([header.length, rows.length]).toEqual([7, 2]);
  const dateOf = (cell: string) => new Date(cell.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, "$3-$2-$1T00:00:00Z"));
  const columns = header.map((name) => ({
    key: name,
    header: name,
    ...(name === "Kunde seit" && { numFmt: "dd.mm.yyyy" }),
  }));
  const data = rows.map((cells) => {
    const pairs = cells.map((cell, at): [string, string | Date] => [
      header[at] ?? "",
      /^\d\d\.\d\d\.\d{4}$/.test(cell) ? dateOf(cell) : cell,
    ]);
    return Object.fromEntries(pairs);
  });
  await writeFile(join(FOLDER, "Kontakte.xlsx"), await writeXlsx({ sheets: [{ name: "Kontakte", columns, data }] }));
}

/** Every command of the guide, one block behind the other in the same shell, as a reader pastes them. */
async function pasted(): Promise<string> {
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(blocks.length).toBeGreaterThan(3);
  const script = [...blocks, "api '/leads?sort=email'"].join("\n");
  const here = Object.entries(HERE).reduce((text, [there, place]) => text.replaceAll(there, place), script);
  const { stdout } = await promisify(execFile)("sh", ["-c", here], { env: environmentOf({}), timeout: PATIENCE_MS });
  return stdout;
}

test("with the commands of the guide alone a table from a spreadsheet program leads to the first email", async () => {
  await saveTable();
  const ports = ["--smtp-port", String(SANDBOX.smtp), "--imap-port", String(SANDBOX.imap)];
  const sandbox = begin({}, "test/demo/sandbox.ts", ["--folder", FOLDER, ...ports]);
  const [, allow = "", authority = ""] = await sandbox.says(
    /Start the service with: EGRESS_ALLOW='(.*)' EXTRA_CA_FILE=(.*) npm start/,
  );
  const variables = { ...PORTS, EGRESS_ALLOW: allow, EXTRA_CA_FILE: authority, DATA_DIR: join(FOLDER, "data") };
  await begin(variables, "start.js").says(/workers ready/);
  const answers = (await pasted()).split("\n").flatMap((line) => (/^[{[]/.test(line) ? [JSON.parse(line)] : []));
  expect(answers.filter(({ code }) => code !== undefined)).toEqual([]);
  const imports = answers.filter(({ type }) => type === "LEAD_IMPORT").map(({ result }) => result);
  const mapping = {
    "E-Mail-Adresse": "email",
    Vorname: "firstName",
    Nachname: "lastName",
    Firma: "company",
    Telefon: "phone",
    Zeitzone: "timezone",
  };
  expect(imports).toMatchObject([
    { action: "dryRun", total: 2, created: 2, errors: [], warnings: [], mapping, unmappedColumns: ["Kunde seit"] },
    { action: "commit", total: 2, created: 2, membershipsAdded: 2, warningCount: 0, unmappedColumns: [] },
  ]);
  const leads = answers.at(-1);
  const common = { timezone: "Europe/Berlin", source: "CSV" };
  expect(
    leads.items.toSorted((one: { email: string }, other: { email: string }) => one.email.localeCompare(other.email)),
  ).toMatchObject([
    {
      ...common,
      email: "dora@people.test",
      phone: "030 1234567",
      company: "Diehl & Co.",
      customFields: { kundeSeit: "2026-03-01" },
    },
    { ...common, email: "reply.rosa@people.test", phone: "+49 170 1234567", customFields: { kundeSeit: "2025-11-15" } },
  ]);
  await sandbox.says(/ann@sandbox\.test to dora@people\.test: A question, Dora/);
  await sandbox.says(/ann@sandbox\.test to reply\.rosa@people\.test: A question, Rosa/);
}, 300_000);
