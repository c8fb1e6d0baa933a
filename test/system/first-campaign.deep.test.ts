import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import { environmentOf, portsOf, runService, type Service } from "../support/service.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "outreach-first-"));
const PORTS = await portsOf();
/** For the commands, and for what they start. */
const PATIENCE_MS = 40_000;
const PEOPLE = ["dora", "hard.hans", "reply.rosa", "unsub.ugo"].map((name) => `${name}@people.test`);
const OUTCOME = '"IN_PROGRESS":1,"PAUSED":0,"COMPLETED":0,"REPLIED":1,"BOUNCED":1,"UNSUBSCRIBED":1';
const running: Service[] = [];
/** What the README writes, and what stands here in its place: a person who runs the tests may run a service too. */
const HERE = {
  ".data/": `${FOLDER}/data/`,
  "localhost:3000": `localhost:${PORTS["PORT"]}`,
  "1465": String(await freePort()),
  "1993": String(await freePort()),
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

/** Runs the commands of the first campaign in the README, and `more` in the same shell. */
async function pasted(more: string): Promise<string> {
  const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(readFileSync("README.md", "utf8")) ?? [];
  const here = Object.entries(HERE).reduce((text, [there, place]) => text.replaceAll(there, place), commands);
  const { stdout } = await promisify(execFile)("sh", ["-c", `${here}\n${more}`], {
    env: environmentOf({}),
    timeout: PATIENCE_MS,
  });
  return stdout;
}

test("the README names the ports and the folder that the sandbox uses by default", () => {
  const [readme, script] = ["README.md", "test/demo/sandbox.ts"].map((path) => readFileSync(path, "utf8"));
  for (const [name, value] of [
    ["smtp-port", "1465"],
    ["imap-port", "1993"],
    ["folder", ".sandbox"],
  ] as const) {
    expect(script).toMatch(new RegExp(`"?${name}"?: \\{ type: "string", default: "${value}" \\}`));
    expect(readme).toContain(value);
  }
});

test("the README's first campaign is sent as described, and recipients who reply, unsubscribe or bounce are stopped", async () => {
  const sandbox = begin({}, "test/demo/sandbox.ts", [
    "--folder",
    FOLDER,
    "--smtp-port",
    HERE["1465"],
    "--imap-port",
    HERE["1993"],
  ]);
  const [, allow = "", authority = ""] = await sandbox.says(
    /Start the service with: EGRESS_ALLOW='(.*)' EXTRA_CA_FILE=(.*) npm start/,
  );
  const asked = { EGRESS_ALLOW: allow, EXTRA_CA_FILE: authority, DATA_DIR: join(FOLDER, "data") };
  await begin({ ...PORTS, ...asked }, "start.js").says(/workers ready/);
  const answers = await pasted(
    `until api /campaigns/$campaign/recipients/stats | grep '${OUTCOME}'; do sleep 0.3; done`,
  );
  expect(answers).toContain('"launched":true');
  expect(answers).toContain(OUTCOME);
  const mails = [...sandbox.output().matchAll(/^ {2}ann@sandbox\.test to (\S+): A question, friend$/gm)].map(
    ([, to]) => to,
  );
  expect(mails.toSorted()).toEqual(PEOPLE);
});
