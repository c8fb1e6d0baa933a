import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Cookie, Page } from "playwright-core";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { launch, prepare } from "../demo/drive.ts";
import { readLeads } from "../demo/leads.ts";
import { serviceIn } from "../demo/service.ts";
import { startOutside, trackUrlOf } from "../demo/world.ts";
import { until } from "../fakes/wait.ts";
import { type Rest, restOf } from "../support/rest.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { type Chromium, type Look, startChromium } from "./chromium.ts";

/**
 * `npm run screenshots`: a picture of every page that the navigation leads to, in both themes and four widths, of the
 * demo's campaign while it runs, and a page `index.html` that shows them all, to be looked at. `-- --look light-1440`
 * takes only those of a look; `-- --docs` takes the two of the README too.
 */
const { values, positionals } = parseArgs({
  options: { docs: { type: "boolean", default: false }, look: { type: "string", multiple: true } },
  allowPositionals: true,
});
const [folder = ".data/screenshots"] = positionals;
const DOCS = "docs/pictures";
/** So much that the reason why someone waits is on the picture. */
const [DOCS_WIDTH, DOCS_HEIGHT] = [1_280, 940];
/** By then most first letters and replies to them have arrived, and second ones go out. */
const MAILS = 55;
/** Pages ask again and again, so the network is never at rest for long. */
const SETTLED_MS = 1_200;
const LOOKS: readonly (Look & { name: string })[] = [1_440, 1_280, 768, 390].flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ name: `${theme}-${width}`, theme, width })),
);
/** No part of the page is being read for the first time. */
const LOADED = `document.querySelector(".skeleton") === null && [...document.querySelectorAll(".looking")].every((one) => one.textContent === "")`;
/** The narrowest window with a sidebar. */
const SIDEBAR_PX = 768;

const place = await mkdtemp(join(tmpdir(), "outreach-pictures-"));
const outside = await startOutside(place);
const service = await serviceIn(place, outside.env);
const chromium = await startChromium();
try {
  await service.start(console.log);
  outside.site.reportTo(trackUrlOf(service.url));
  const rest = restOf(`${service.url}/api/v1`, await service.apiKey());
  const { campaignId } = await prepare(rest, outside, await readLeads(), 1, console.log);
  await launch(rest, campaignId, console.log);
  await furnish(rest);
  await until(() => outside.sandbox.ledger.length >= MAILS, { deadlineMs: 5 * MINUTE_MS, what: `${MAILS} mails` });
  await takeAll(await signIn(chromium), campaignId, rest);
} finally {
  await chromium.close();
  await service.stop();
  await outside.close();
  await rm(place, { recursive: true, force: true });
}

/** What a workspace that has been lived in holds besides. */
async function furnish(rest: Rest): Promise<void> {
  await rest.post("/campaigns", { name: "Partner DACH", goal: "Meetings" });
  for (const value of ["rival.test", "press@harborview.test"])
    await rest.post("/block-list", { value, reason: "asked by phone" });
  for (const [email, role] of [
    ["grace@acme.test", "MEMBER"],
    ["viewer@acme.test", "VIEWER"],
  ])
    await rest.post("/invites/manage", { action: "create", email, role });
}

interface Person {
  cookies: Cookie[];
  workspace: string;
}

async function signIn({ open }: Chromium): Promise<Person> {
  const { page, context } = await open();
  await page.goto((await readFile(join(service.dataDir, "first-sign-in"), "utf8")).trim());
  await page.getByLabel("Your e-mail address").fill("ann@acme.test");
  await page.getByLabel("Your name").fill("Ann");
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  const person = { cookies: await context.cookies(), workspace: new URL(page.url()).pathname };
  await context.close();
  return person;
}

async function takeAll(person: Person, campaignId: string, rest: Rest): Promise<void> {
  const campaign = `${person.workspace}/campaigns/${campaignId}`;
  const { body: people } = await rest.get(`/campaigns/${campaignId}/recipients?search=soft.full`);
  const why = `${campaign}?search=soft.full&open=${people.items[0]?.id}`;
  if (values.docs) await takeForDocs(person, why, rest);
  const mailboxes = `${person.workspace}/mailboxes`;
  const [mailbox] = (await rest.get("/mailboxes")).body;
  await mkdir(folder, { recursive: true });
  const paths = await findPaths(person);
  for (const look of LOOKS.filter(({ name }) => values.look?.includes(name) !== false)) {
    const { page, context, complaints } = await chromium.open(look);
    await context.addCookies(person.cookies);
    for (const path of paths) await take(page, nameOf(path, person), look.name, path);
    for (const part of ["sequence", "activity"]) await take(page, part, look.name, `${campaign}?part=${part}`);
    await take(page, "sequence-overview", look.name, `${campaign}?part=sequence&view=overview`);
    await take(page, "campaign", look.name, campaign);
    await take(page, "why", look.name, why);
    for (const part of ["dns", "settings"])
      await take(page, `mailbox-${part}`, look.name, `${mailboxes}/${mailbox.id}?part=${part}`);
    const [thread] = (await rest.get("/inbox/threads")).body.items;
    await take(page, "inbox-one", look.name, `${person.workspace}/inbox?open=${thread.id}`);
    await take(page, "inbox-scheduled", look.name, `${person.workspace}/inbox?part=scheduled`);
    await take(page, "mailboxes-connect", look.name, `${mailboxes}/connect`);
    await take(page, "lost", look.name, `${person.workspace}/nothing`);
    if ((look.width ?? 0) < SIDEBAR_PX) {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("dialog").waitFor();
      await shoot(page, "menu", look.name);
    }
    await page.getByRole("button", { name: "Pause all sending" }).click();
    await page.getByRole("dialog", { name: "Pause all sending" }).waitFor();
    await shoot(page, "kill-switch", look.name);
    await context.close();
    if (complaints.length > 0) console.log(complaints.join("\n"));
  }
  await writeFile(join(folder, "index.html"), await sheetOf(folder));
  console.log(join(folder, "index.html"));
}

async function shoot(page: Page, name: string, look: string): Promise<void> {
  const file = join(folder, `${name}-${look}.png`);
  await page.screenshot({ path: file });
  console.log(file);
}

/** The contact sheet: a row for each page with its picture in each look. */
async function sheetOf(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".png")).toSorted();
  const rows = Map.groupBy(files, (file) => file.replace(/-(?:light|dark)-\d+\.png$/, ""));
  const pictureOf = (file: string) => `<a href="${file}"><img src="${file}" alt="${file}" height="300"></a>`;
  const lines = [...rows].map(([name, files]) => `<h2>${name}</h2>\n<p>${files.map(pictureOf).join(" ")}</p>`);
  return `<!doctype html>\n<title>Pages of the console</title>\n${lines.join("\n")}\n`;
}

/** Every page that the navigation leads to, and of each list what its first row leads to. */
async function findPaths({ workspace, cookies }: Person): Promise<string[]> {
  const { page, context } = await chromium.open();
  await context.addCookies(cookies);
  await goto(page, workspace);
  const found = new Set<string>();
  for (const room of await linksOf(page, "nav.navigation a")) {
    await goto(page, room);
    for (const path of [room, ...(await linksOf(page, "nav.navigation .inner a"))]) {
      found.add(path);
      await goto(page, path);
      const [first] = await linksOf(page, "main tbody th a");
      if (first !== undefined) found.add(first);
    }
  }
  await context.close();
  return [...found];
}

async function linksOf(page: Page, selector: string): Promise<string[]> {
  const links = await page.locator(selector).all();
  return (await Promise.all(links.map((link) => link.getAttribute("href")))).filter((href) => href !== null);
}

async function goto(page: Page, path: string): Promise<void> {
  await page.goto(`${service.url}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await until(() => page.evaluate<boolean>(LOADED), { deadlineMs: MINUTE_MS, what: `the data of ${path}` });
  await sleep(SETTLED_MS);
}

function nameOf(path: string, { workspace }: Person): string {
  const [name = ""] = path.slice(workspace.length + 1).split("?");
  return name === "" ? "home" : name.replaceAll(/\/\w+_\w+/g, "-one").replaceAll("/", "-");
}

async function take(page: Page, name: string, look: string, path: string): Promise<void> {
  await goto(page, path);
  const file = join(folder, `${name}-${look}.png`);
  await page.screenshot({ path: file, fullPage: true });
  console.log(file);
}

async function takeForDocs(person: Person, why: string, rest: Rest): Promise<void> {
  const { body: threads } = await rest.get("/inbox/threads");
  await mkdir(DOCS, { recursive: true });
  for (const [name, path, theme] of [
    ["why", why, "light"],
    ["inbox", `${person.workspace}/inbox?open=${threads.items[0]?.id}`, "dark"],
  ] as const) {
    const { page, context } = await chromium.open({ theme, width: DOCS_WIDTH });
    await context.addCookies(person.cookies);
    await goto(page, path);
    await page.setViewportSize({ width: DOCS_WIDTH, height: DOCS_HEIGHT });
    await page.screenshot({ path: join(DOCS, `${name}.png`) });
    console.log(join(DOCS, `${name}.png`));
    await context.close();
  }
}
