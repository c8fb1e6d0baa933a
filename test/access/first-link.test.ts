import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { keyRing } from "../../domain/access/seal.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { welcome } from "../../embedded/welcome.ts";
import { SignInLink } from "../../models/sign-in/sign-in-link.ts";
import { User } from "../../models/sign-in/user.ts";
import { firstLink } from "../../operations/access/first-start.ts";
import { createPersonLink, UNNAMED } from "../../operations/sign-in/links.ts";
import { command, on } from "../support/command.ts";
import { newBrowser } from "../support/person.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

/** One deployment, from its first start to the first password: each test continues where the one before it ended. */
let world: World;
const DATA_DIR = mkdtempSync(join(tmpdir(), "outreach-first-"));
const FILE = join(DATA_DIR, "first-sign-in");
const PUBLIC_URL = "http://localhost:3000";
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(async () => {
  await world.close();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

const started = (MONGODB_URI: string | null = null) =>
  welcome({ DATA_DIR, PUBLIC_URL, TRACK_URL: PUBLIC_URL, MONGODB_URI }, world.services.keyRing, null);
const linkIn = () => new URL(readFileSync(FILE, "utf8").trim()).pathname;
const open = async (path: string) => {
  const browser = newBrowser(world.baseUrl);
  await browser.open(path);
  return browser.page;
};

test("every start leaves the same working first sign-in link in the data folder", async () => {
  expect(await started()).toContain(`Sign in: open the link in ${FILE} before `);
  const first = linkIn();
  expect(await started()).not.toContain("/sign-in/");
  expect(linkIn()).toBe(first);
  expect((await open(first)).html).toContain("Welcome");
  rmSync(FILE);
  await started();
  expect(linkIn()).toBe(first);
});

test("the first link is stored only hashed and sealed", async () => {
  const [, , token = "none"] = linkIn().split("/");
  const stored = await SignInLink.find({}).lean();
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(token);
});

test("a start whose key cannot unseal the stored link makes another link, and both links work", async () => {
  const first = linkIn();
  const { token } = await firstLink(keyRing(randomBytes(32).toString("base64"), []));
  for (const path of [first, `/sign-in/${token}`]) expect((await open(path)).html).toContain("Welcome");
});

test("a start without a terminal and a data folder makes no link and names the command that shows one", async () => {
  await SignInLink.deleteMany({});
  expect(await started(world.mongodbUri)).toContain("Sign in: `npm run user:link` shows the first sign-in link");
  expect(await SignInLink.countDocuments({})).toBe(0);
});

test("user:link without an address shows the first link until the first sign-in, and an unknown address is reported", async () => {
  const said = await command(on(world), "user-link");
  expect(said).toMatchObject({ code: 0, err: expect.stringContaining("No one has signed in yet") });
  const [link = ""] = /http:\/\/localhost:3000\/sign-in\/[\w-]+/.exec(said.out) ?? [];
  expect((await open(new URL(link).pathname)).html).toContain("Welcome");
  const wrong = await command(on(world), "user-link", ["--email", "stranger@people.test"]);
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringContaining("`npm run user:link` without an address shows the first link"),
  });
});

test("a link that was made by hand still works after the next start, beside the first link", async () => {
  const owner = await User.findOne({ email: UNNAMED }).lean<User>();
  const byHand = await createPersonLink(owner?._id ?? "", new Date());
  await started();
  for (const path of [`/sign-in/${byHand}`, linkIn()]) expect((await open(path)).html).toContain("Welcome");
});

test("the page of an expired first link says that the link has expired, and the next start leaves a new link", async () => {
  const late = linkIn();
  await SignInLink.updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
  const { status, html } = await open(late);
  expect(status).toBe(404);
  for (const said of [
    "This link has expired.",
    "<code>.data/first-sign-in</code>",
    "<code>npm run user:link</code>",
    'href="/login"',
  ])
    expect(html).toContain(said);
  expect(html).toContain("<code>npm run user:link -- --email &#60;address&#62;</code>");
  await started();
  expect(linkIn()).not.toBe(late);
  expect((await open(linkIn())).html).toContain("Welcome");
});

test("once the first link is used, all links of that person are invalid, and a start prints the address of the sign-in page", async () => {
  const first = linkIn();
  const other = await firstLink(keyRing(randomBytes(32).toString("base64"), []));
  const browser = newBrowser(world.baseUrl);
  await browser.open(first);
  expect(await browser.submit({ email: "ann@people.test", name: "Ann", password: PASSWORD })).toContain("Signed in");
  expect(await open(`/sign-in/${other.token}`)).toMatchObject({ status: 404 });
  const used = await open(first);
  expect(used.html).toContain("This link was already used.");
  expect(used.html).not.toContain("first-sign-in");
  const said = await started();
  expect(said).toContain(`Sign in: ${PUBLIC_URL}/login`);
  expect(said).toContain("npm run user:link -- --email <address>");
  expect(existsSync(FILE)).toBe(false);
  expect(JSON.stringify(await SignInLink.find({}).lean())).not.toContain('"wrapped"');
  expect(await command(on(world), "user-link")).toMatchObject({ code: 1, err: expect.stringContaining("usage:") });
});

test("on a database whose people have no password, a start offers a link for the owner of the oldest workspace", async () => {
  await User.updateMany({}, { $set: { passwordHash: null } });
  await SignInLink.deleteMany({});
  await started();
  expect((await open(linkIn())).html).toContain("Choose a new password for ann@people.test.");
  expect((await SignInLink.findOne({}).lean<SignInLink>())?.expiresAt.getTime()).toBeLessThanOrEqual(
    Date.now() + DAY_MS,
  );
});
