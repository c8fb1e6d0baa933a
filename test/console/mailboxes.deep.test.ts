import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { recordAuthFailure } from "../../store/mailboxes/faults.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { until } from "../fakes/wait.ts";
import { healthIn } from "../mailboxes/health-parts.ts";
import { realWorker } from "../support/real-worker.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

const EMAIL = "ann@sender.test";
const PASSWORD = "an app password";
/** Refused logins in a row after which a mailbox waits for somebody. */
const REFUSALS = 10;

let world: World;
let chromium: Chromium;
let smtp: FakeSmtp;
let imap: FakeImap;
let oauth: FakeOAuth;
let dns: FakeDns;
const accounts = { [EMAIL]: PASSWORD };

beforeAll(async () => {
  const certificate = await makeCertificate();
  oauth = await startOAuth();
  const tokens = (user: string, token: string) => oauth.knows(user, token);
  smtp = await startSmtp({ certificate, secure: true, accounts, tokens });
  imap = await startImap({ certificate, secure: true, user: EMAIL, password: PASSWORD, tokens });
  dns = await startDns({ "sender.test": { MX: ["10 mx.sender.test"] } });
  const server = (port: number) => ({ host: "localhost", port, security: "SSL_TLS" as const });
  const { clientId, clientSecret, url } = oauth;
  const addresses = { authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userinfoUrl: `${url}/userinfo`, revocationUrl: null };
  const client = { clientId, clientSecret, ...addresses, scope: "mail" };
  const providers = { ...NO_PROVIDERS, A: { servers: { smtp: server(smtp.port), imap: server(imap.port) }, oauth: client, mx: [] } };
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert, dnsServers: [dns.server] }),
    settings: { providers, egressAllow: "localhost:*" },
    console: await builtConsole(),
  });
  world.services.settings.publicUrl = world.baseUrl;
  chromium = await startChromium();
}, 180_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
  await Promise.all([smtp, imap, oauth, dns].map((server) => server?.close()));
}, 30_000);

async function visit({ browser, workspaceId }: SignedIn, path: string, look?: Look): Promise<Visit> {
  const opened = await chromium.open(look);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await opened.page.goto(`${world.baseUrl}/w/${workspaceId}${path}`);
  return opened;
}

/** What is selected in the field that has the focus. */
const SELECTED = "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)";

/** A mailbox as it is stored, without a server behind it. */
async function stored(workspaceId: string, fields: object = {}): Promise<string> {
  const _id = newId("mbx");
  const server = { host: "mail.sender.test", port: 465, security: "SSL_TLS" as const };
  await scoped(workspaceId).Mailbox.insert({ _id, email: EMAIL, username: EMAIL, smtp: server, imap: { ...server, port: 993 }, ...fields });
  return _id;
}

test("a wrong password says of each server what to do and stores nothing; the right one is tested, then connected", async () => {
  const person = await signedIn(world);
  const { page, check } = await visit(person, "/mailboxes");
  await page.getByText("There is no mailbox yet").waitFor();
  await check("no mailbox");
  await page.getByRole("link", { name: "Connect a mailbox" }).click();
  await page.getByLabel("E-mail address").fill("ann@gmail.com");
  await page.getByText("make an app password").waitFor();
  await page.getByLabel("E-mail address").fill(EMAIL);
  const [sends, reads] = [page.getByLabel("Server that sends (SMTP)"), page.getByLabel("Server that is read (IMAP)")];
  expect([await sends.inputValue(), await reads.inputValue()]).toEqual(["smtp.sender.test", "imap.sender.test"]);
  for (const field of [sends, reads]) await field.fill("localhost");
  await page.getByLabel("Its port").fill(String(smtp.port));
  await page.getByLabel("Port of that server").fill(String(imap.port));
  // Servers that somebody typed are theirs
  await page.getByLabel("E-mail address").fill("");
  await page.getByLabel("E-mail address").fill(EMAIL);
  expect(await sends.inputValue()).toBe("localhost");

  const password = page.getByLabel("Password, or an app password");
  await password.fill("wrong");
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("The server refuses the address or the password").first().waitFor();
  expect(await page.getByText("The server refuses the address or the password").count()).toBe(2);
  await page.getByText("Nothing was kept.").waitFor();
  await check("a refused password");
  expect(await scoped(person.workspaceId).Mailbox.count()).toBe(0);

  await password.fill(PASSWORD);
  // What is typed while it is tried was not tried
  const isTried = page.waitForResponse((answer) => answer.url().endsWith("/mailboxes/connect"));
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByLabel("Name that readers see").fill("A");
  await isTried;
  await page.getByRole("button", { name: "Test" }).waitFor();
  expect(await page.getByText("connect it now").count()).toBe(0);
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("connect it now").waitFor();
  expect(await scoped(person.workspaceId).Mailbox.count()).toBe(0);
  await page.getByLabel("Name that readers see").fill("Ann");
  // Whatever is changed afterwards is tested again
  expect(await page.getByRole("button", { name: "Connect it" }).count()).toBe(0);
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("button", { name: "Connect it" }).dblclick();
  await page.getByRole("heading", { name: EMAIL, level: 1 }).waitFor();
  expect((await person.rest.get("/mailboxes")).body).toMatchObject([{ email: EMAIL, name: "Ann", status: "CONNECTED" }]);
  await check("a connected mailbox");
}, 120_000);

test("DNS records are shown with what to publish, copied with a clipboard and without, and checked again", async () => {
  const person = await signedIn(world);
  const mailboxId = await stored(person.workspaceId);
  const { page, context, check } = await visit(person, `/mailboxes/${mailboxId}?part=dns`);
  await page.getByText("What to publish has not been worked out").waitFor();
  await page.getByRole("button", { name: "Check again" }).click();
  const value = page.getByLabel("TXT Value, sender.test", { exact: true });
  await value.waitFor({ timeout: 60_000 });
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
  await page.getByText("The record is sound").waitFor({ timeout: 30_000 });
}, 180_000);

test("a mailbox pauses and goes on, its limits are changed, and it is deleted, each with its effect", async () => {
  const person = await signedIn(world);
  const mailboxId = await stored(person.workspaceId, { dailySendLimit: 40, health: healthIn("QUARANTINED") });
  const { page, check } = await visit(person, "/mailboxes", { theme: "dark" });
  await page.getByText("0 of 40").waitFor();
  await check("the list");
  await page.getByRole("link", { name: EMAIL }).click();
  await page.getByText("6 of 100 campaign mails came back for good: 6%, and this band begins at 5%").waitFor();
  await check("its health");
  await page.getByRole("button", { name: "Set back to healthy…" }).click();
  await page.getByRole("button", { name: "Set it back" }).click();
  await page.getByText("Nothing speaks against it").waitFor();

  await page.getByRole("button", { name: "Pause…" }).click();
  const asked = page.getByRole("dialog");
  await asked.getByText("0 mails have gone today").waitFor();
  await check("the effect of a pause");
  await asked.getByRole("button", { name: "Pause it" }).click();
  await page.getByText("It was paused by hand").waitFor();
  expect((await person.rest.get(`/mailboxes/${mailboxId}`)).body.status).toBe("PAUSED");
  await page.getByRole("button", { name: "Resume…" }).click();
  await asked.getByText("at most 40 mails a day, of which 0 went today").waitFor();
  await asked.getByRole("button", { name: "Resume it" }).click();
  await page.getByRole("button", { name: "Pause…" }).waitFor();

  await page.getByRole("button", { name: "Limits and hours" }).click();
  await page.getByLabel("Shortest wait between two mails").fill("90");
  await page.getByLabel("Longest wait between two mails").fill("60");
  await page.getByLabel("When it may send").selectOption({ label: "In certain hours, besides those of the campaign" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("must not exceed maxGapSeconds").waitFor();
  expect(await page.evaluate("document.activeElement.name")).toBe("patch.minGapSeconds");
  await check("a refused limit");
  await page.getByLabel("Longest wait between two mails").fill("120");
  await page.getByLabel("Mails a day at most").first().fill("25");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const changed = { dailySendLimit: 25, minGapSeconds: 90, maxGapSeconds: 120, workday: { days: [1, 2, 3, 4, 5], from: "09:00" } };
  expect((await person.rest.get(`/mailboxes/${mailboxId}`)).body).toMatchObject(changed);

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await asked.getByText("gone for good").waitFor();
  await asked.getByRole("button", { name: "Delete it" }).click();
  await page.getByText("There is no mailbox yet").waitFor();
  expect(await scoped(person.workspaceId).Mailbox.count()).toBe(0);
}, 120_000);

test("a mailbox whose password was changed says what to do, and is connected again with its limits", async () => {
  const person = await signedIn(world);
  const servers = {
    smtp: { host: "localhost", port: smtp.port, security: "SSL_TLS" },
    imap: { host: "localhost", port: imap.port, security: "SSL_TLS" },
  };
  const mailboxId = await stored(person.workspaceId, {
    ...servers,
    dailySendLimit: 33,
    verification: { status: "FAILED", checks: { mx: "FAIL", spf: "FAIL", dkim: "FAIL", dmarc: "FAIL" }, checkedAt: new Date() },
    name: "\u202eאנה <img src=x onerror=alert(1)>".repeat(100),
  });
  for (let refused = 0; refused < REFUSALS; refused++) await recordAuthFailure(person.workspaceId, mailboxId, "AUTH_FAILED");
  const { page, check } = await visit(person, "/mailboxes?status=RECONNECT_REQUIRED", { width: 380 });
  await page.getByText("The server refuses the password").first().waitFor();
  await check("a lost mailbox");
  await page.getByRole("link", { name: EMAIL }).click();
  await page.getByText("Nothing is sent or read until it is connected again").waitFor();
  await check("a lost mailbox, alone");
  await page.getByRole("button", { name: "Connect again…" }).click();
  await page.getByLabel("Password, or an app password").fill(PASSWORD);
  await page.getByLabel("Name that readers see").fill("Ann");
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("button", { name: "Connect it" }).click();
  await page.getByRole("heading", { name: EMAIL, level: 1 }).waitFor();
  await page.getByRole("button", { name: "Pause…" }).waitFor();
  const again = { id: mailboxId, status: "CONNECTED", dailySendLimit: 33, lastError: null };
  expect((await person.rest.get(`/mailboxes/${mailboxId}`)).body).toMatchObject(again);
}, 120_000);

test("a consent leaves for the provider and comes back to the console; a provider that is not set up names its setting", async () => {
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
  expect((await person.rest.get("/mailboxes")).body).toMatchObject([{ email: EMAIL, provider: "PROVIDERA", status: "CONNECTED" }]);
}, 120_000);

test("a viewer sees no button that answers 403, a member pauses but does not connect", async () => {
  const owner = await signedIn(world);
  const mailboxId = await stored(owner.workspaceId);
  const viewer = await visit(await invited(world, owner, `viewer-${owner.userId}@acme.test`, "VIEWER"), "/mailboxes");
  await viewer.page.getByRole("link", { name: EMAIL }).click();
  await viewer.page.getByRole("button", { name: "Limits and hours" }).click();
  expect(await viewer.page.getByLabel("Mails a day at most").first().isDisabled()).toBe(true);
  const barred = ["Pause…", "More", "Save", "Connect a mailbox"];
  for (const name of barred) expect([name, await viewer.page.getByRole("button", { name }).count()]).toEqual([name, 0]);
  await viewer.check("a viewer's page");
  await viewer.page.getByRole("button", { name: "DNS records" }).click();
  await viewer.page.getByText("What to publish has not been worked out").waitFor();
  expect(await viewer.page.getByRole("button", { name: "Check again" }).count()).toBe(0);

  const member = await visit(await invited(world, owner, `member-${owner.userId}@acme.test`, "MEMBER"), `/mailboxes/${mailboxId}`);
  await member.page.getByRole("button", { name: "Pause…" }).waitFor();
  expect(await member.page.getByRole("button", { name: "More" }).count()).toBe(0);
  await member.page.goto(`${world.baseUrl}/w/${owner.workspaceId}/mailboxes/connect`);
  await member.page.getByText("Your role here does not let you connect").waitFor();
  await member.check("a member who may not connect");
}, 120_000);
