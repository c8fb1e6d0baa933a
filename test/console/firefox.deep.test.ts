import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { builtConsole } from "./console-world.ts";
import { type FirefoxVisit, findFirefox, openFirefox } from "./firefox.ts";

const EMAIL = "ann@a.test";
const PERSON = "reply1@one.test";
const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

const firefox = findFirefox();
if (firefox === null) console.info("Skipped: no Firefox at FIREFOX_BIN or on the PATH");
const inFirefox = firefox === null ? test.skip : test;

let world: World;
let sandbox: Sandbox;
let visit: FirefoxVisit;

beforeAll(async () => {
  if (firefox === null) return;
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [EMAIL], certificate, reactionMs: { min: 20, max: 60 } });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
    console: await builtConsole(),
  });
  visit = await openFirefox(firefox);
}, 180_000);
afterAll(async () => {
  await visit?.close();
  await world?.close();
  await sandbox?.close();
}, 30_000);

inFirefox(
  "in Firefox a person who opens the printed link connects a mailbox, launches a campaign and answers a reply",
  async () => {
    const { ownerId, rest } = await world.workspace();
    const { goto, see, press, fill, check } = visit;
    await goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
    await fill("New password", PASSWORD);
    await press("button", "Sign in");
    await see("heading", "Home");
    await check("the start page");

    await press("link", "Mailboxes");
    await press("link", "Connect a mailbox");
    await fill("E-mail address", EMAIL);
    await fill("Password, or an app password", sandbox.password);
    await fill("SMTP server", "localhost");
    await fill("SMTP port", String(sandbox.smtpPort));
    await fill("IMAP server", "localhost");
    await fill("IMAP port", String(sandbox.imapPortOf(EMAIL)));
    await press("button", "Test");
    await press("button", "Connect mailbox");
    await see("heading", EMAIL);
    await check("the mailbox that was connected");

    await draftIn(rest, "Q4 founders");
    await press("link", "Campaigns");
    await press("link", "Q4 founders");
    await press("button", "Launch…");
    await press("button", "Send to 1 person");
    await until(() => sandbox.ledger.length > 0, { ...MAIL_DEADLINE, what: "the mail of the campaign" });
    await check("the campaign that has sent");

    await until(async () => (await rest.get("/inbox/threads")).body.items.length > 0, {
      ...MAIL_DEADLINE,
      what: "the answer",
    });
    await press("link", "Inbox");
    await see("heading", "Inbox");
    await press("text", PERSON);
    await fill("Your reply", "Forty.");
    await press("button", "Send");
    await see("text", "· our reply");
    await check("the conversation with our reply");
    const [asked, replied, ...more] = sandbox.ledger;
    expect([asked?.to, replied?.to, more]).toEqual([[PERSON], [PERSON], []]);
    const raw = replied?.raw ?? Buffer.alloc(0);
    expect(raw.toString()).toContain("Forty.");
    expect(headerOf(raw, "In-Reply-To")).toMatch(/^<.+>$/);
  },
  180_000,
);

async function draftIn(rest: Rest, name: string): Promise<void> {
  const [mailbox] = (await rest.get("/mailboxes")).body;
  const path = `/campaigns/${(await rest.post("/campaigns", { name })).body.id}`;
  await rest.patch(`${path}/settings`, { ...QUICK, mailboxIds: [mailbox.id] });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_one", `A question from ${name}`)] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [PERSON] });
}
