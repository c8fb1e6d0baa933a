import { expect, test } from "@jest/globals";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { createGrant, newGrantId } from "../../operations/access/connectors.ts";
import { until } from "../fakes/wait.ts";
import { invited, PASSWORD, type SignedIn, signedIn } from "../support/signed-in.ts";
import { base, chromium, makeOld, shownOnce, statusWith, useSetup, visit, world } from "./access-setup.ts";
import type { Look } from "./chromium.ts";

useSetup();

async function keyOf({ rest }: SignedIn, name: string, ...scopes: string[]): Promise<string> {
  return (await rest.post("/api-keys", { name, scopes })).body.key;
}

const HOSTILE = `</td><img src=x onerror="document.title='run'"> ${"x".repeat(110)} \u202Eabc`;

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 1280 },
  { theme: "light", width: 380 },
  { theme: "dark", width: 320 },
])(
  "no page about access has an accessibility fault in any theme, and markup in a name is shown as text: %p",
  async (look) => {
    const owner = await signedIn(world);
    const member = await invited(world, owner, `mem-${owner.userId}@acme.test`, "MEMBER");
    await member.browser.console(null).patch("/session", { name: HOSTILE });
    await keyOf(member, HOSTILE, "campaigns:read");
    await owner.rest.post("/invites/manage", {
      action: "create",
      email: `open-${owner.userId}@acme.test`,
      role: "VIEWER",
    });
    const of = {
      workspaceId: owner.workspaceId,
      userId: member.userId,
      clientId: `https://app.test/${"c".repeat(200)}`,
    };
    await createGrant({ id: newGrantId(), ...of, clientName: HOSTILE, scopes: ["leads:read"] }, new Date());
    const { page, check } = await visit(owner, "/members", look);
    await page
      .getByRole("cell", { name: `open-${owner.userId}@acme.test` })
      .or(page.getByText("joined"))
      .first()
      .waitFor();
    await check("members");
    await page.getByRole("button", { name: "Remove" }).click();
    await page
      .getByText("1 key or connection", { exact: false })
      .or(page.getByText("2 keys and connections"))
      .waitFor();
    await check("what a removal ends");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Invite member…" }).click();
    await check("an invitation");
    for (const [path, ready] of [
      ["/keys", "Linux"],
      ["/connections", "https://app.test/"],
      ["/audit", "Audit log intact"],
      ["/account", "Not set up"],
    ] as const) {
      await page.goto(`${base}/w/${owner.workspaceId}${path}`);
      if (path === "/keys") await page.getByText("1 permission in 1 area").waitFor();
      else await page.getByText(ready).first().waitFor();
      await check(path);
      const opener = {
        "/keys": "Create API key…",
        "/connections": "Policy…",
        "/audit": "Details",
        "/account": "Set up an app…",
      }[path];
      await page.getByRole("button", { name: opener }).first().click();
      await page.getByRole("dialog").or(page.getByText("Action")).first().waitFor();
      await check(`${path}: ${opener}`);
    }
    expect(await page.title()).not.toBe("run");
  },
  120_000,
);

test("an invite link is shown once; the invited person joins, gets another role, and is removed along with their keys", async () => {
  const owner = await signedIn(world);
  const { page, check } = await visit(owner, "/members");
  await page.getByRole("button", { name: "Invite member…" }).click();
  const email = `new-${owner.userId}@acme.test`.toLowerCase();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Role").selectOption("ADMIN");
  await page.getByRole("button", { name: "Create invite link" }).dblclick();
  const link = await shownOnce(page, "Link");
  await check("the link");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("row", { name: email }).getByText("open").waitFor();

  const theirs = await chromium.open();
  await theirs.page.goto(link);
  await theirs.page.getByLabel("Your name").fill("Ada");
  await theirs.page.getByLabel("New password").fill(PASSWORD);
  await theirs.page.getByRole("button", { name: /Join|Sign in/ }).click();
  await theirs.page.getByRole("heading", { name: "Home" }).waitFor();
  const cookies = new Map((await theirs.context.cookies()).map(({ name, value }) => [name, value]));
  const ada: SignedIn = { ...owner, browser: { ...owner.browser, cookies }, email };
  await theirs.page.goto(`${base}/w/${owner.workspaceId}/keys`);
  const made = await makeKey(theirs.page, "Ada's script", "Everything that my role allows");
  const small = await makeKey(theirs.page, "Ada's reader", "Nothing", "see reports");
  // One permission is little, and still more than a viewer has
  await makeKey(theirs.page, "Ada's writer", "Nothing", "create and change campaigns");
  expect(ada.email).toBe(email);

  await page.reload();
  await page.getByRole("row", { name: "Ada" }).getByRole("button", { name: "Change role…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the role of Ada" });
  await dialog.getByLabel("New role").selectOption("VIEWER");
  await dialog.getByText("Key Ada's script").waitFor();
  expect((await dialog.getByRole("listitem").allInnerTexts()).sort()).toEqual(["Key Ada's script", "Key Ada's writer"]);
  await check("what another role ends");
  await dialog.getByRole("button", { name: "Change the role" }).click();
  await page
    .getByRole("row", { name: "Ada" })
    .getByText(/^viewer/)
    .waitFor();
  await until(async () => (await statusWith(made)) === 401, { deadlineMs: 30_000, what: "the end of the greater key" });
  expect(await statusWith(small)).toBe(200);

  await page.getByRole("row", { name: "Ada" }).getByRole("button", { name: "Remove" }).click();
  const removal = page.getByRole("dialog", { name: "Remove" });
  await removal.getByText("Key Ada's reader").waitFor();
  await removal.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("row", { name: "Ada" }).waitFor({ state: "detached" });
  await until(async () => (await statusWith(small)) === 401, { deadlineMs: 30_000, what: "the end of the other key" });
  await theirs.page.reload();
  await theirs.page.getByRole("heading", { name: /not a member|no workspace/ }).waitFor();
}, 120_000);

async function makeKey(page: Page, name: string, preset: string, also?: string): Promise<string> {
  await page.getByRole("button", { name: "Create API key…" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Preset").selectOption({ label: preset });
  if (also !== undefined) await page.getByLabel(also, { exact: true }).check();
  await page.getByRole("button", { name: /^Create API key with/ }).click();
  const key = await page.getByLabel("Key", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("row", { name }).waitFor();
  return key;
}

test("the policy of a connection is changed, and the connection is revoked", async () => {
  const owner = await signedIn(world);
  const grant = {
    id: newGrantId(),
    workspaceId: owner.workspaceId,
    userId: owner.userId,
    clientId: "c",
    clientName: "Assistant",
  };
  await createGrant({ ...grant, scopes: ["leads:read"] }, new Date());
  const { page, check } = await visit(owner, "/connections", { width: 380 });
  await page
    .getByRole("row", { name: "Assistant" })
    .getByText("Only after a preview: sends, changes sending, deletes")
    .waitFor();
  await page.getByRole("button", { name: "Policy…" }).click();
  await page.getByLabel("Sends emails").selectOption("APPROVAL");
  await page.getByLabel("Daily email limit").fill("20");
  await page.getByRole("button", { name: "Change it" }).click();
  await page
    .getByRole("row", { name: "Assistant" })
    .getByText("Only after approval: sends, discloses; at most 20 emails a day")
    .waitFor();
  await check("another policy");
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("No connections yet").waitFor();
  expect((await owner.rest.get("/connections")).body).toEqual([]);
}, 60_000);

test("the first code sets up an authenticator app, sensitive actions ask for a code, and the app can be removed", async () => {
  const person = await signedIn(world);
  const { page, check } = await visit(person, "/account", { theme: "dark", width: 380 });
  await page.getByRole("button", { name: "Set up an app…" }).click();
  const secret = (await page.getByLabel("Secret").inputValue()).replaceAll(" ", "");
  const uri = await page.getByRole("link", { name: "Open it in the app" }).getAttribute("href");
  expect(uri).toContain(`secret=${secret}`);
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.getByLabel("The code that the app shows now").fill("000000");
  await page.getByRole("button", { name: "Use this app" }).click();
  await page.getByText("The code is not right").waitFor();
  await page.getByLabel("The code that the app shows now").fill(app.generate());
  await page.getByRole("button", { name: "Use this app" }).click();
  const [first = ""] = (await shownOnce(page, "Codes")).split("\n");
  await check("recovery codes");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("10 codes are left").waitFor();

  await makeOld(person);
  await page.getByRole("button", { name: "Remove the app…" }).click();
  await page.getByText("This is your last second factor").waitFor();
  await page.getByRole("button", { name: "Remove the app", exact: true }).click();
  const asked = page.getByRole("dialog", { name: "Confirm your password" });
  await asked.getByLabel("Password").fill(PASSWORD);
  await asked.getByLabel("Code of your authenticator app").fill(first);
  await check("password and code");
  await asked.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Not set up").waitFor();
  expect((await person.browser.console(null).get("/session")).body.hasSecondFactor).toBe(false);
}, 90_000);

test("a page shows that its session was ended elsewhere, a new password ends the other sessions, and the audit log names who changed what", async () => {
  const person = await signedIn(world);
  const other = await chromium.open();
  await other.page.goto(`${base}/login?returnTo=/w/${person.workspaceId}/account`);
  await other.page.getByLabel("E-mail address").fill(person.email);
  await other.page.getByLabel("Password").fill(PASSWORD);
  await other.page.getByRole("button", { name: "Sign in" }).click();
  await other.page.getByRole("heading", { name: "Account" }).waitFor();

  const { page, check } = await visit(person, "/account");
  await page.getByText("this one").waitFor();
  await page.getByRole("row", { name: "Chrome, Linux" }).getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("row", { name: "Chrome, Linux" }).waitFor({ state: "detached" });
  await other.page.getByLabel("Your name").fill("Ada Lovelace");
  await other.page.getByRole("button", { name: "Save" }).click();
  await other.page.getByRole("dialog", { name: "You were signed out" }).waitFor();

  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByLabel("Current password").fill("wrong horse battery");
  await page.getByLabel("New password").fill("another horse battery");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The present password is not right").waitFor();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The password is changed").waitFor();
  expect(await page.getByLabel("New password").inputValue()).toBe("");
  await check("the account");

  await keyOf(person, "Importer", "leads:read");
  const { key } = await world.workspace();
  expect(await statusWith(key)).toBe(200);
  await page.getByRole("link", { name: "Audit" }).click();
  await page.getByText(/Audit log intact: \d+ entries/).waitFor();
  const made = page.getByRole("row", { name: "API keys: create" }).filter({ hasText: "Importer" });
  await made.getByText("Ada Lovelace").waitFor();
  await page.getByLabel("What").selectOption({ label: "Account" });
  await made.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "Account: set password" }).waitFor();
  await page.getByRole("button", { name: "Details" }).first().click();
  await page.getByText("account.setPassword").waitFor();
  expect(new URL(page.url()).search).toMatch(/^\?noun=account&open=aud_/);
  await page.getByLabel("To").fill("2020-01-01");
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await made.waitFor();
  await check("the audit log");
}, 120_000);
