import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { until } from "../fakes/wait.ts";
import { type Rest, restOf } from "../support/rest.ts";
import { LETTERS, letterIn } from "./campaign.ts";
import { type Count, findEmpty, takeCensus } from "./census.ts";
import { launch, prepare, type Records } from "./drive.ts";
import { follow } from "./follow.ts";
import { furnish, workOn } from "./furnish.ts";
import { addressesOf, readLeads } from "./leads.ts";
import { exitCodeOf, tableOf } from "./print.ts";
import { progressOn } from "./progress.ts";
import { type Service, serviceIn } from "./service.ts";
import { DEEDS } from "./site.ts";
import { type Outcome, outcomeOf, type Reading } from "./table.ts";
import { MAILBOXES, type Outside, SPARE, startOutside, trackUrlOf } from "./world.ts";

/**
 * A small campaign on a sandbox of mail servers, over the public API, in a workspace with records in every state.
 * Exits 0 only if every promise was kept and no state is empty. With `--keep` it leaves all of it running after the
 * table, to look around.
 */
const { keep } = parseArgs({ options: { keep: { type: "boolean", default: false } } }).values;
const MINUTES_BETWEEN = 1;
/** The last replies are read and the last moves are made by then, on a busy machine too. */
const CENSUS_MS = 2 * MINUTE_MS;
const progress = progressOn(process.stdout);
const folder = await mkdtemp(join(tmpdir(), "outreach-demo-"));
let outside: Outside | null = null;
let service: Service | null = null;
/** What the demo exits with when it is ended from outside. */
let exitCode = 130;
let ending: Promise<never> | null = null;
// npm and the terminal both forward a Ctrl-C
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(exitCode));
try {
  const { outcome, census } = await demo();
  progress.end();
  progress.say(tableOf(outcome, census));
  const code = exitCodeOf(outcome, census);
  if (keep && service !== null && outside !== null) {
    exitCode = code;
    await leave(service, outside);
  } else await end(code);
} catch (err) {
  progress.end();
  progress.say(`\n  ${err instanceof Error ? err.message : String(err)}`);
  await end(1);
}

async function demo(): Promise<{ outcome: Outcome; census: Count[] }> {
  const rows = await readLeads();
  const addresses = addressesOf(rows);
  progress.say(
    "The outside world: an SMTP server, an IMAP server per mailbox, 40 people who read, one subscriber of events",
  );
  const world = await startOutside(folder);
  outside = world;
  progress.say(`The service runs in its own process, on a temporary folder: ${folder}`);
  const running = await serviceIn(folder, world.env);
  service = running;
  await running.start((line) => progress.say(`  | ${line.trim()}`));
  world.site.reportTo(trackUrlOf(running.url));
  const rest = restOf(`${running.url}/api/v1`, await running.apiKey());
  progress.say(["Watch it in the console:", ...(await consoleLines(running))].join("\n"));
  if (keep) {
    progress.say(`A mailbox to connect there, with the password ${world.sandbox.password}:`);
    progress.say(placeOf(world.sandbox, SPARE));
  }
  progress.say("The campaign: 3 letters in 2 variants each, a minute between them");
  const { campaignId, secret } = await prepare(rest, world, rows, MINUTES_BETWEEN, progress.say);
  await launch(rest, campaignId, progress.say);
  progress.say("Launched. Meanwhile, around it:");
  await furnish(rest, world, await readLeads("others.csv"), progress.say);
  const judge = (records: Records) =>
    outcomeOf({ ...seenBy(world, addresses, secret), ...records, addresses, letters: LETTERS, endedAt: Date.now() });
  const outcome = await follow({
    rest,
    campaignId,
    service: running,
    outside: world,
    progress,
    addresses,
    letters: LETTERS,
    judge,
    arrived: () => lettersTo(world, addresses).length,
    greeting: () => consoleLines(running),
  });
  await workOn(rest);
  return { outcome, census: await countStates(rest) };
}

/** Every promised state has someone in it, or the count as it is when that does not come. */
async function countStates(rest: Rest): Promise<Count[]> {
  let census: Count[] = [];
  const isFull = async () => {
    census = await takeCensus(rest);
    return findEmpty(census).length === 0;
  };
  await until(isFull, { deadlineMs: CENSUS_MS, what: "a record in every state", mayBeMissed: true }).catch(() => {});
  return census;
}

function lettersTo({ sandbox }: Outside, addresses: readonly string[]) {
  const known = new Set(addresses);
  return sandbox.ledger.flatMap(({ to, raw, messageId }) =>
    to
      .map((address) => ({ to: address.toLowerCase(), letter: letterIn(raw), messageId }))
      .filter((mail) => known.has(mail.to)),
  );
}

/** What the servers, the people and the subscriber have seen so far. Emails to others are of other campaigns. */
function seenBy(world: Outside, addresses: readonly string[], secret: string) {
  const { stops, afterStop } = world.sandbox.report();
  const known = new Set(addresses);
  return {
    mails: lettersTo(world, addresses),
    afterStop,
    posts: world.posts(secret),
    reading: readingOf(world),
    stops: stops.filter(({ recipient }) => known.has(recipient)),
  };
}

function readingOf({ readers }: Outside): Reading {
  const { opened, clicked, lettersOpened, lettersClicked, converted, failures } = readers.read;
  const deeds = [...converted.values()];
  return {
    opened,
    clicked,
    failures,
    lettersOpened: lettersOpened.size,
    lettersClicked: lettersClicked.size,
    conversions: deeds.length,
    meetings: deeds.filter((deed) => deed === "meeting").length,
    revenue: deeds.filter((deed) => deed === "purchase").length * DEEDS.purchase.custom_data.value,
  };
}

/** Says where everything is; what matters most comes last. The service keeps this process alive until Ctrl-C. */
async function leave(running: Service, { sandbox }: Outside): Promise<void> {
  const { url, dataDir, logFile } = running;
  const keyFile = join(dataDir, "first-api-key");
  progress.say(
    [
      "",
      "  Everything keeps running, so that you can look around.",
      `    reference    ${url}/api/v1/reference`,
      `    log          ${logFile}`,
      `    mailboxes    password ${sandbox.password}`,
      ...MAILBOXES.map((address) => placeOf(sandbox, address)),
      "                 not connected yet:",
      placeOf(sandbox, SPARE),
      `    try          curl -H "Authorization: Bearer $(cat ${keyFile})" ${url}/api/v1/campaigns`,
      "",
      ...(await consoleLines(running)),
      `    API key      in ${keyFile}`,
      "    end          Ctrl-C; it ends the demo and deletes its data",
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
  return isGood
    ? [`    console      ${link}`, "                 the link works once: choose a password there"]
    : [`    console      ${url}`];
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
  else progress.say(`  The log of the service: ${service?.logFile ?? folder}`);
  process.exit(code);
}
