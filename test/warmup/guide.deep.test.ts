import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { assertFree, freePort } from "../../embedded/ports.ts";
import { environmentOf, portsOf, runService, type Service } from "../support/service.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "outreach-warm-"));
const PORTS = await portsOf();
const PATIENCE_MS = 60_000;
const MAILBOXES = 12;
/** The sandbox has one mailbox more, and its ports stand in a row. */
const SANDBOX = { smtp: await freePort(), imap: await freePortsInARow(MAILBOXES + 1) };
const running: Service[] = [];
/** What the guide writes, and what stands here in its place: a person who runs the tests may run a service too. */
const HERE = {
  ".data/": `${FOLDER}/data/`,
  ".sandbox/": `${FOLDER}/`,
  "localhost:3000": `localhost:${PORTS["PORT"]}`,
  "localhost:1994": `localhost:${SANDBOX.imap + 1}`,
};
/** Behind the commands that start the warmup: the day is planned by a run of each mailbox. */
const PLANNED = `until [ "$(api '/warmup/enrolments?status=ACTIVE' | grep -o '"planStatus":"PLANNED"' | wc -l)" -eq ${MAILBOXES} ]; do sleep 0.5; done`;

afterAll(async () => {
  for (const service of running.toReversed()) await service.end("SIGTERM", 30_000);
  rmSync(FOLDER, { recursive: true, force: true });
});

function begin(variables: Record<string, string>, entry: string, args: string[] = []): Service {
  const service = runService(variables, [], entry, args);
  running.push(service);
  return service;
}

/** Every command of the guide, one block behind the other in the same shell, as a reader pastes them. */
async function pasted(): Promise<string> {
  const guide = readFileSync("docs/guides/warmup.md", "utf8");
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(blocks.length).toBeGreaterThan(5);
  const [first = "", ...others] = blocks;
  const script = [first, PLANNED, ...others].join("\n");
  const here = Object.entries(HERE).reduce((text, [there, place]) => text.replaceAll(there, place), script);
  const { stdout } = await promisify(execFile)("sh", ["-c", here], { env: environmentOf({}), timeout: PATIENCE_MS });
  return stdout;
}

test("every command of the warmup guide does what the guide says when pasted in order", async () => {
  const ports = ["--smtp-port", String(SANDBOX.smtp), "--imap-port", String(SANDBOX.imap)];
  const sandbox = begin({}, "test/demo/sandbox.ts", ["--warmup", "--folder", FOLDER, ...ports]);
  const [, allow = "", authority = ""] = await sandbox.says(
    /Start the service with: EGRESS_ALLOW='(.*)' EXTRA_CA_FILE=(.*) npm start/,
  );
  await begin(
    { ...PORTS, EGRESS_ALLOW: allow, EXTRA_CA_FILE: authority, DATA_DIR: join(FOLDER, "data") },
    "start.js",
  ).says(/workers ready/);
  const lines = (await pasted()).split("\n");
  expect(lines.filter((line) => /^\{"code"/.test(line) || /"ok":false|"isError":true/.test(line))).toEqual([]);
  const answers = lines.filter((line) => /^[{[]/.test(line)).map((line) => JSON.parse(line));
  const bulks = answers
    .filter(({ matched }) => matched !== undefined)
    .map(({ matched, changed }) => [matched, changed]);
  expect(bulks.length).toBeGreaterThan(3);
  expect(bulks.filter(([matched, changed]) => matched !== MAILBOXES || changed !== MAILBOXES)).toEqual([]);
  const states = answers
    .filter(({ status, dayNumber }) => status !== undefined && dayNumber !== undefined)
    .map(({ status }) => status);
  expect(states).toEqual(expect.arrayContaining(["ACTIVE", "PAUSED"]));
  const days = answers.filter((answer) => Array.isArray(answer) && answer[0]?.sent !== undefined);
  expect(days.map((rows) => rows.length)).toEqual([2, 14]);
  await sandbox.end("SIGINT", 10_000);
  expect(sandbox.output()).toMatch(
    /The SMTP server took \d+ mails, 0 of them twice\.\n {2}mailbox +sent +INBOX +Junk +Warmup +Sent\n/,
  );
  expect(sandbox.output()).toMatch(/^ {2}cleo@west\.test( +\d+){5}$/m);
});

test("the warmup guide names the default ports and folder of the sandbox", () => {
  const script = readFileSync("test/demo/sandbox.ts", "utf8");
  expect(script).toContain('"imap-port": { type: "string", default: "1993" }');
  expect(script).toContain('folder: { type: "string", default: ".sandbox" }');
});

/** The first of so many ports in a row that no one uses. */
async function freePortsInARow(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const row = Array.from({ length: count }, (_, index) => assertFree(first + index, "a port"));
    const tried = await Promise.allSettled(row);
    if (tried.every(({ status }) => status === "fulfilled")) return first;
  }
}
