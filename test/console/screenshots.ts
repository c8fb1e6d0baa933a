import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import { startServerHost } from "../support/server-host.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld } from "../support/world.ts";
import { startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { conversationIn } from "./inbox-parts.ts";

/** `npm run screenshots`: a picture of every page, in both themes and on a phone, into the folder that is named, to be looked at. */
const [folder = ".data/screenshots"] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const host = await startServerHost();
process.env["TEST_SERVER_HOST"] = host.url;
const world = await startWorld({ console: await builtConsole() });
const chromium = await startChromium();
try {
  await takeAll();
} finally {
  await chromium.close();
  await world.close();
  await host.stop();
}

async function takeAll(): Promise<void> {
  const person = await signedIn(world);
  const at = `/w/${person.workspaceId}`;
  const people = ["ada", "grace", "mira", "tomasz", "soft.full"].map((name) => `${name}@harborview.test`);
  const { campaignId } = await readyCampaign(person.rest, person.workspaceId, people);
  await person.rest.post("/campaigns", { name: "Partner DACH" });
  const [first] = await scoped(person.workspaceId).Recipient.find({ campaignId });
  const threadId = await inboxIn(person, campaignId);
  const campaign = `${at}/campaigns/${campaignId}`;
  const pages: [name: string, path: string, press?: string][] = [
    ["start", at],
    ["campaigns", `${at}/campaigns`],
    ["campaign", `${campaign}?open=${first?._id}`],
    ["course", `${campaign}?part=course`],
    ["texts", `${campaign}?part=texts`],
    ["launch", campaign, "Launch…"],
    ["inbox", `${at}/inbox`],
    ["conversation", `${at}/inbox?open=${threadId}`],
    ["keys", `${at}/inbox`, "Keys"],
    ["scheduled", `${at}/inbox?part=scheduled`],
    ["approvals", `${at}/approvals?open=apr_${threadId}`],
    ["kill-switch", at, "Stop all mail"],
    ["lost", `${at}/nothing`],
  ];
  for (const look of [{ theme: "light" }, { theme: "dark" }, { theme: "light", width: 380 }] as const) {
    const { page, context } = await chromium.open(look);
    await context.addCookies([...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
    for (const [name, path, press] of pages) {
      await page.goto(`${world.baseUrl}${path}`);
      await page.waitForLoadState("networkidle");
      if (press !== undefined) await page.getByRole("button", { name: press }).click();
      await page.waitForLoadState("networkidle");
      const file = join(folder, `${name}-${"width" in look ? "phone" : look.theme}.png`);
      await page.screenshot({ path: file, fullPage: press === undefined });
      console.log(file);
    }
    await context.close();
  }
}

/** Conversations in each state, a reply that leaves later and a question that waits. */
async function inboxIn({ rest, workspaceId }: SignedIn, campaignId: string): Promise<string> {
  const { _id: mailboxId } = await storedMailbox(workspaceId);
  const html = "<p>Hello <b>Ann</b>,</p><p>could you send prices?</p><blockquote>Do you use widgets?</blockquote>";
  const mira = {
    from: "mira@harborview.test",
    name: "Mira Novak",
    html,
    text: "Hello Ann, could you send prices?",
    before: "Do you use widgets?",
  };
  const { threadId, messageId } = await conversationIn(workspaceId, mailboxId, mira);
  for (const [index, name] of ["Tomasz", "Grace", "سلمى", "W".repeat(200)].entries()) {
    const { messageId } = await conversationIn(workspaceId, mailboxId, {
      from: `p${index}@people.test`,
      name,
      ago: index * 400,
      isRead: index > 1,
    });
    if (index === 1) await rest.post(`/inbox/messages/${messageId}/category`, { category: "INTERESTED" });
  }
  const later = { text: "As promised.", sendAt: new Date(Date.now() + DAY_MS).toISOString(), idempotencyKey: `key-${threadId}` };
  await rest.post(`/inbox/threads/${threadId}/schedule`, later);
  await scoped(workspaceId).Approval.insert({
    ...{ _id: `apr_${threadId}`, kind: "OPT_OUT", threadId, messageId, campaignId, proposedText: "please stop", confidence: 0.5 },
    ...{ reason: "The words may ask us to stop writing", expiresAt: new Date(Date.now() + DAY_MS) },
  });
  return threadId;
}
