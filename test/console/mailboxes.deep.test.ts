import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { recordAuthFailure } from "../../store/mailboxes/faults.ts";
import { until } from "../fakes/wait.ts";
import { healthIn } from "../mailboxes/health-parts.ts";
import { signedIn } from "../support/signed-in.ts";
import { dns, EMAIL, imap, oauth, PASSWORD, smtp, stored, useSetup, visit, world } from "./mailboxes-setup.ts";

useSetup();

/** Refused logins in a row after which a mailbox waits for someone. */
const REFUSALS = 10;

/** What is selected in the field that has the focus. */
const SELECTED =
  "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)";

test("the page shows which DNS records to publish, copies them with or without a clipboard, and checks them again", async () => {
  const person = await signedIn(world);
  const mailboxId = await stored(person.workspaceId);
  const { page, context, check } = await visit(person, `/mailboxes/${mailboxId}?part=dns`);
  await page.getByText("What to publish has not been worked out").waitFor();
  await page.getByRole("button", { name: "Check again" }).click();
  const value = page.getByLabel("TXT Value, sender.test", { exact: true });
  await value.waitFor();
  expect(await value.inputValue()).toMatch(/^v=spf1 /);
  await check("what to publish");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy: TXT Value, sender.test" }).click();
  await page.getByText("Copied.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await value.inputValue());

  // As on plain http, where a browser has none
  const plain = await visit(person, `/mailboxes/${mailboxId}?part=dns`, { width: 380 });
  await plain.page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await plain.page.reload();
  await plain.page.getByRole("button", { name: "Copy: TXT Value, sender.test" }).click();
  await plain.page.getByText("Selected: press Ctrl+C.").waitFor();
  expect(await plain.page.evaluate(SELECTED)).toMatch(/^v=spf1 /);
  await plain.check("what to publish, on a phone");

  dns.zone["sender.test"] = { MX: ["10 mx.sender.test"], TXT: ["v=spf1 ip4:203.0.113.7 -all"] };
  await page.getByRole("button", { name: "Check again" }).click();
  const isSeen = async () => (await person.rest.get(`/mailboxes/${mailboxId}`)).body.verification.checks.spf !== "FAIL";
  await until(isSeen, { deadlineMs: 60_000, what: "the second check" });
  await page.getByText("The record is sound").waitFor();
}, 180_000);

test("a mailbox is paused, resumed, given other limits and deleted, and each action shows its effect", async () => {
  const person = await signedIn(world);
  const mailboxId = await stored(person.workspaceId, { dailySendLimit: 40, health: healthIn("QUARANTINED") });
  const { page, check } = await visit(person, "/mailboxes", { theme: "dark" });
  await page.getByText("0 of 40").waitFor();
  await check("the list");
  await page.getByRole("link", { name: EMAIL }).click();
  await page.getByText("6 of 100 campaign emails bounced for good: 6%, and this band begins at 5%").waitFor();
  await check("its health");
  await page.getByRole("button", { name: "Set back to healthy…" }).click();
  await page.getByRole("button", { name: "Set it back" }).click();
  await page.getByText("No problems found").waitFor();

  await page.getByRole("button", { name: "Pause…" }).click();
  const asked = page.getByRole("dialog");
  await asked.getByText("It sent 0 emails today").waitFor();
  await check("the effect of a pause");
  await asked.getByRole("button", { name: "Pause" }).click();
  await page.getByText("You paused it").waitFor();
  expect((await person.rest.get(`/mailboxes/${mailboxId}`)).body.status).toBe("PAUSED");
  await page.getByRole("button", { name: "Resume…" }).click();
  await asked.getByText("at most 40 emails a day, of which it sent 0 today").waitFor();
  await asked.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause…" }).waitFor();

  await page.getByRole("button", { name: "Limits and hours" }).click();
  await page.getByLabel("Shortest wait between two emails").fill("90");
  await page.getByLabel("Longest wait between two emails").fill("60");
  await page.getByLabel("Sending hours").selectOption({ label: "Only in certain hours" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("must not exceed maxGapSeconds").waitFor();
  expect(await page.evaluate("document.activeElement.name")).toBe("patch.minGapSeconds");
  await check("a refused limit");
  await page.getByLabel("Longest wait between two emails").fill("120");
  await page.getByLabel("Daily email limit").first().fill("25");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const changed = {
    dailySendLimit: 25,
    minGapSeconds: 90,
    maxGapSeconds: 120,
    workday: { days: [1, 2, 3, 4, 5], from: "09:00" },
  };
  expect((await person.rest.get(`/mailboxes/${mailboxId}`)).body).toMatchObject(changed);

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await asked.getByText("are deleted").waitFor();
  await asked.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No mailboxes yet").waitFor();
  expect(await scoped(person.workspaceId).Mailbox.count()).toBe(0);
}, 120_000);

test("a mailbox whose password was changed says what to do, and after reconnecting keeps its limits", async () => {
  const person = await signedIn(world);
  const servers = {
    smtp: { host: "localhost", port: smtp.port, security: "SSL_TLS" },
    imap: { host: "localhost", port: imap.port, security: "SSL_TLS" },
  };
  const mailboxId = await stored(person.workspaceId, {
    ...servers,
    dailySendLimit: 33,
    verification: {
      status: "FAILED",
      checks: { mx: "FAIL", spf: "FAIL", dkim: "FAIL", dmarc: "FAIL" },
      checkedAt: new Date(),
    },
    name: "\u202eאנה <img src=x onerror=alert(1)>".repeat(100),
  });
  for (let refused = 0; refused < REFUSALS; refused++)
    await recordAuthFailure(person.workspaceId, mailboxId, "AUTH_FAILED");
  const { page, check } = await visit(person, "/mailboxes?status=RECONNECT_REQUIRED", { width: 380 });
  await page.getByText("The server refuses the password").first().waitFor();
  await check("a lost mailbox");
  await page.getByRole("link", { name: EMAIL }).click();
  await page.getByText("Nothing is sent or read until you connect it again").waitFor();
  await check("a lost mailbox, alone");
  await page.getByRole("button", { name: "Connect again…" }).click();
  await page.getByLabel("Password, or an app password").fill(PASSWORD);
  await page.getByLabel("Sender name").fill("Ann");
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("button", { name: "Connect mailbox" }).click();
  await page.getByRole("heading", { name: EMAIL, level: 1 }).waitFor();
  await page.getByRole("button", { name: "Pause…" }).waitFor();
  const again = { id: mailboxId, status: "CONNECTED", dailySendLimit: 33, lastError: null };
  expect((await person.rest.get(`/mailboxes/${mailboxId}`)).body).toMatchObject(again);
}, 120_000);

test("the consent page of the provider leads back to the console, and a provider that is not set up names the missing setting", async () => {
  const person = await signedIn(world);
  const { page, check } = await visit(person, "/mailboxes/connect");
  await page.getByText("PROVIDERB_CLIENT_ID").waitFor();
  await check("connecting");
  await page.route(`${oauth.url}/authorize**`, (route) =>
    route.fulfill({ status: 302, headers: { location: oauth.consent(route.request().url(), EMAIL).href } }),
  );
  await page.getByRole("button", { name: "Connect with localhost" }).dblclick();
  await page.getByRole("link", { name: EMAIL }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/w/${person.workspaceId}/mailboxes`);
  expect((await person.rest.get("/mailboxes")).body).toMatchObject([
    { email: EMAIL, provider: "PROVIDERA", status: "CONNECTED" },
  ]);
}, 120_000);

test("a shared mailbox is named by its address, and the provider is asked for the permissions of shared mailboxes", async () => {
  const { providers } = world.services.settings;
  const { A, B } = providers;
  const scope = ["Mail.Send", "Mail.ReadWrite"].map((name) => `https://graph.microsoft.com/${name}`).join(" ");
  const api = { transport: "GRAPH" as const, url: "https://localhost:9/v1.0" };
  const oauthOfB = A.oauth === null ? null : { ...A.oauth, scope };
  Object.assign(providers, { B: { ...B, servers: A.servers, oauth: oauthOfB, api } });
  const person = await signedIn(world);
  const { page, check } = await visit(person, "/mailboxes/connect");
  await page.getByText("Connect a shared mailbox").click();
  await check("a shared mailbox");
  await page.getByLabel("Address of the shared mailbox").fill("team@sender.test");
  await page.route(`${oauth.url}/authorize**`, (route) => route.fulfill({ contentType: "text/html", body: "Asked" }));
  await page.getByRole("button", { name: "Sign in at Microsoft" }).click();
  await page.getByText("Asked").waitFor();
  const asked = new URL(page.url()).searchParams.get("scope") ?? "";
  expect(asked).toContain("https://graph.microsoft.com/Mail.Send.Shared");
  const { OAuthState } = scoped(person.workspaceId);
  expect((await OAuthState.find({})).map(({ sharedMailbox }) => sharedMailbox)).toEqual(["team@sender.test"]);
  Object.assign(providers, { B });
}, 120_000);
