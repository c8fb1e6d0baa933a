import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { restOf } from "../support/rest.ts";
import { LETTERS, letterIn } from "./campaign.ts";
import { launch, prepare, type Records } from "./drive.ts";
import { follow } from "./follow.ts";
import { addressesOf, readLeads } from "./leads.ts";
import { tableOf } from "./print.ts";
import { progressOn } from "./progress.ts";
import { type Service, serviceIn } from "./service.ts";
import { isKept, type Outcome, outcomeOf } from "./table.ts";
import { MAILBOXES, type Outside, SPARE, startOutside } from "./world.ts";

/**
 * A small campaign on a sandbox of mail servers, over the public interface. Exits 0 only if every promise was kept. With `--keep` it leaves
 * all of it running after the table, to look around.
 */
const { keep } = parseArgs({ options: { keep: { type: "boolean", default: false } } }).values;
const MINUTES_BETWEEN = 1;
const progress = progressOn(process.stdout);
const folder = await mkdtemp(join(tmpdir(), "outreach-demo-"));
let outside: Outside | null = null;
let service: Service | null = null;
let isLeft = false;
let ending: Promise<never> | null = null;
// npm and the terminal both forward a Ctrl-C
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(isLeft ? 0 : 130));
try {
  const outcome = await demo();
  progress.end();
  progress.say(tableOf(outcome));
  if (keep && service !== null && outside !== null) await leave(service, outside);
  else await end(isKept(outcome) ? 0 : 1);
} catch (err) {
  progress.end();
  progress.say(`\n  ${err instanceof Error ? err.message : String(err)}`);
  await end(1);
}

async function demo(): Promise<Outcome> {
  const rows = await readLeads();
  const addresses = addressesOf(rows);
  progress.say("The outside world: an SMTP server, an IMAP server per mailbox, 40 people, one subscriber of events");
  const world = await startOutside(folder);
  outside = world;
  progress.say(`The service, in a process of its own, on a throw-away folder: ${folder}`);
  const running = await serviceIn(folder, world.env);
  service = running;
  await running.start((line) => progress.say(`  | ${line.trim()}`));
  const rest = restOf(`${running.url}/api/v1`, await running.apiKey());
  if (keep) {
    const spare = `A mailbox to connect there, with the password ${world.sandbox.password}:`;
    progress.say(["Watch it in the console:", ...(await consoleLines(running)), spare, placeOf(world.sandbox, SPARE)].join("\n"));
  }
  progress.say("The campaign: 3 letters in 2 variants each, a minute between them");
  const { campaignId, secret } = await prepare(rest, world, rows, MINUTES_BETWEEN, progress.say);
  await launch(rest, campaignId, progress.say);
  progress.say("Launched");
  const judge = (records: Records) => outcomeOf({ ...seenBy(world, secret), ...records, addresses, letters: LETTERS, endedAt: Date.now() });
  const greeting = () => (keep ? consoleLines(running) : Promise.resolve([]));
  return follow({ rest, campaignId, service: running, outside: world, progress, addresses, letters: LETTERS, judge, greeting });
}

/** What the servers and the subscriber have seen so far. */
function seenBy({ sandbox, posts }: Outside, secret: string) {
  const { stops, afterStop } = sandbox.report();
  const mails = sandbox.ledger.flatMap(({ to, raw, messageId }) =>
    to.map((address) => ({ to: address.toLowerCase(), letter: letterIn(raw), messageId })),
  );
  return { mails, stops, afterStop, posts: posts(secret) };
}

/** Says where everything is. The service keeps this process alive until Ctrl-C. */
async function leave(running: Service, { sandbox }: Outside): Promise<void> {
  isLeft = true;
  const { url, dataDir, logFile } = running;
  progress.say(
    [
      "",
      "  All of it goes on running, to look around. Ctrl-C ends it and removes its data.",
      ...(await consoleLines(running)),
      `    reference    ${url}/api/v1/reference`,
      `    log          ${logFile}`,
      `    mailboxes    password ${sandbox.password}`,
      ...MAILBOXES.map((address) => placeOf(sandbox, address)),
      "                 not connected yet, for who wants to:",
      placeOf(sandbox, SPARE),
      `    try          curl -H "Authorization: Bearer $(cat ${join(dataDir, "first-api-key")})" ${url}/api/v1/campaigns`,
    ].join("\n"),
  );
}

function placeOf(sandbox: Outside["sandbox"], address: string): string {
  return `    ${address}: SMTP localhost:${sandbox.smtpPort}, IMAP localhost:${sandbox.imapPortOf(address)}`;
}

/** The way into the console: by the link until it was used. A start after that removes the file. */
async function consoleLines({ url, dataDir }: Service): Promise<string[]> {
  const link = (await readFile(join(dataDir, "first-sign-in"), "utf8").catch(() => "")).trim();
  const isGood = link !== "" && (await fetch(link)).ok;
  return isGood ? [`    console      ${link}`, "                 good once: choose a password there"] : [`    console      ${url}`];
}

function end(code: number): Promise<never> {
  ending ??= tidy(code);
  return ending;
}

/** Ends the service and the world. The folder stays when something went wrong, because of its log. */
async function tidy(code: number): Promise<never> {
  await service?.stop();
  await outside?.close();
  if (code === 0) await rm(folder, { recursive: true, force: true });
  else progress.say(`  What the service said: ${service?.logFile ?? folder}`);
  process.exit(code);
}
