import { expect, test } from "@jest/globals";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { until } from "../fakes/wait.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { makeOld, shownOnce, statusWith, useSetup, visit, world } from "./access-setup.ts";

useSetup();

test("an API key is shown once, permits only the chosen scopes, and stops working within a second of its revocation", async () => {
  const owner = await signedIn(world);
  const { page, check } = await visit(owner, "/keys", { theme: "dark" });
  await page.getByRole("button", { name: "Create API key…" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Importer");
  await page.getByLabel("Preset").selectOption({ label: "Nothing" });
  await page.getByRole("button", { name: "Create API key with 0 permissions" }).click();
  await page.getByText("Choose at least one permission").waitFor();
  await page.getByLabel("see and export leads").check();
  await page.getByLabel("Sends emails").selectOption("NONE");
  await page.getByRole("button", { name: "Create API key with 1 permission" }).dblclick();
  const key = await shownOnce(page, "Key");
  await check("the key");
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: "Importer" }).getByText("Never: sends").waitFor();
  const stored: { name: string; expiresAt: string }[] = (await owner.rest.get("/api-keys")).body;
  const made = stored.filter(({ name }) => name === "Importer");
  expect(made).toMatchObject([{ scopes: ["leads:read"], policy: { SENDS: "NONE", DESTROYS: "DIRECT" } }]);
  expect(Date.parse(made[0]?.expiresAt ?? "")).toBeGreaterThan(Date.now());
  expect(await page.content()).not.toContain(key);
  expect(await statusWith(key)).toBe(200);

  await page.getByRole("row", { name: "Importer" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("row", { name: "Importer" }).waitFor({ state: "detached" });
  await until(async () => (await statusWith(key)) === 401, { deadlineMs: 30_000, what: "the end of the key" });
  await page.getByLabel("Show").selectOption({ label: "Active and ended" });
  await page.getByRole("row", { name: "Importer" }).getByText("revoked").waitFor();
  expect(new URL(page.url()).search).toBe("?show=every");
  await check("an ended key");
}, 90_000);

interface Device {
  client: CDPSession;
  authenticatorId: string;
}

type Credential = Awaited<ReturnType<typeof credentialOf>>;

/**
 * A device of the browser's own that keeps passkeys. It is gone after `check()`, whose debugger shares it, so its
 * credential is kept.
 */
async function newDevice(context: BrowserContext, page: Page, credential: Credential | null): Promise<Device> {
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", { options });
  if (credential !== null) await client.send("WebAuthn.addCredential", { authenticatorId, credential });
  return { client, authenticatorId };
}

async function credentialOf({ client, authenticatorId }: Device) {
  const { credentials } = await client.send("WebAuthn.getCredentials", { authenticatorId });
  const [credential] = credentials;
  if (credential === undefined) throw new Error("The device has no passkey");
  return credential;
}

test("a passkey is added, is asked for besides the password at a sensitive action, and is removed", async () => {
  const person = await signedIn(world);
  const { page, context, check } = await visit(person, "/account");
  let device = await newDevice(context, page, null);
  await page.getByRole("button", { name: "Add a passkey…" }).click();
  await page.getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Create passkey" }).click();
  await page.getByLabel("Codes", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Remove Laptop" }).waitFor();
  const credential = await credentialOf(device);
  await check("a passkey");

  await makeOld(person);
  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await page.getByRole("dialog", { name: "Remove Laptop" }).getByRole("button", { name: "Remove" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm your password" });
  await asked.getByText("The browser asks for your passkey next.").waitFor();
  await check("password and passkey");
  await asked.getByLabel("Password").fill(PASSWORD);
  // A person who refuses the browser's question sees a message, and may try again
  await page.evaluate("navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))");
  await asked.getByRole("button", { name: "Continue" }).click();
  await asked.getByText("The passkey was not confirmed").waitFor();
  await page.evaluate("delete navigator.credentials.get");
  device = await newDevice(context, page, credential);
  await asked.getByRole("button", { name: "Continue" }).click();
  await page.getByText("No passkeys yet.").waitFor();
  expect((await person.browser.console(null).get("/second-factor")).body).toEqual({
    totp: false,
    recoveryCodesLeft: 0,
    passkeys: [],
  });
}, 90_000);
