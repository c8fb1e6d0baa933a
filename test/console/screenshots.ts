import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { startServerHost } from "../support/server-host.ts";
import { signedIn } from "../support/signed-in.ts";
import { startWorld } from "../support/world.ts";
import { startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { showMailboxes } from "./shown-mailboxes.ts";

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
  const campaign = `${at}/campaigns/${campaignId}`;
  const mailbox = `${at}/mailboxes/${await showMailboxes(person.workspaceId)}`;
  const pages: [name: string, path: string, press?: string][] = [
    ["start", at],
    ["campaigns", `${at}/campaigns`],
    ["campaign", `${campaign}?open=${first?._id}`],
    ["course", `${campaign}?part=course`],
    ["texts", `${campaign}?part=texts`],
    ["launch", campaign, "Launch…"],
    ["mailboxes", `${at}/mailboxes`],
    ["mailbox", mailbox],
    ["mailbox-dns", `${mailbox}?part=dns`],
    ["mailbox-limits", `${mailbox}?part=settings`],
    ["mailbox-pause", mailbox, "Pause…"],
    ["mailbox-connect", `${at}/mailboxes/connect`],
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
