import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import { EMAIL, imap, PASSWORD, smtp, stored, useSetup, visit, world } from "./mailboxes-setup.ts";

useSetup();

test("a wrong password stores nothing and shows what to do for each server, and the right password is tested before the mailbox is connected", async () => {
  const person = await signedIn(world);
  const { page, check } = await visit(person, "/mailboxes");
  await page.getByText("No mailboxes yet").waitFor();
  await check("no mailbox");
  await page.getByRole("link", { name: "Connect a mailbox" }).click();
  await page.getByLabel("E-mail address").fill("ann@gmail.com");
  await page.getByText("Create one in the settings").waitFor();
  await page.getByLabel("E-mail address").fill(EMAIL);
  const [sends, reads] = [page.getByLabel("SMTP server"), page.getByLabel("IMAP server")];
  expect([await sends.inputValue(), await reads.inputValue()]).toEqual(["smtp.sender.test", "imap.sender.test"]);
  for (const field of [sends, reads]) await field.fill("localhost");
  await page.getByLabel("SMTP port").fill(String(smtp.port));
  await page.getByLabel("IMAP port").fill(String(imap.port));
  // Servers that a person typed stay as typed
  await page.getByLabel("E-mail address").fill("");
  await page.getByLabel("E-mail address").fill(EMAIL);
  expect(await sends.inputValue()).toBe("localhost");

  const password = page.getByLabel("Password, or an app password");
  await password.fill("wrong");
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("The server refuses the address or the password").first().waitFor();
  expect(await page.getByText("The server refuses the address or the password").count()).toBe(2);
  await page.getByText("Nothing was saved.").waitFor();
  await check("a refused password");
  expect(await scoped(person.workspaceId).Mailbox.count()).toBe(0);

  await password.fill(PASSWORD);
  // Input that is typed during the test was not tested
  const isTried = page.waitForResponse((answer) => answer.url().endsWith("/mailboxes/connect"));
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByLabel("Sender name").fill("A");
  await isTried;
  await page.getByRole("button", { name: "Test" }).waitFor();
  expect(await page.getByText("Connect the mailbox now").count()).toBe(0);
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("Connect the mailbox now").waitFor();
  expect(await scoped(person.workspaceId).Mailbox.count()).toBe(0);
  await page.getByLabel("Sender name").fill("Ann");
  // Any later change is tested again
  expect(await page.getByRole("button", { name: "Connect mailbox" }).count()).toBe(0);
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("button", { name: "Connect mailbox" }).dblclick();
  await page.getByRole("heading", { name: EMAIL, level: 1 }).waitFor();
  expect((await person.rest.get("/mailboxes")).body).toMatchObject([
    { email: EMAIL, name: "Ann", status: "CONNECTED" },
  ]);
  await check("a connected mailbox");
}, 120_000);

test("a viewer sees no button that the service would refuse with 403, and a member can pause a mailbox but not connect one", async () => {
  const owner = await signedIn(world);
  const mailboxId = await stored(owner.workspaceId);
  const viewer = await visit(await invited(world, owner, `viewer-${owner.userId}@acme.test`, "VIEWER"), "/mailboxes");
  await viewer.page.getByRole("link", { name: EMAIL }).click();
  await viewer.page.getByRole("button", { name: "Limits and hours" }).click();
  expect(await viewer.page.getByLabel("Daily email limit").first().isDisabled()).toBe(true);
  const barred = ["Pause…", "More", "Save", "Connect a mailbox"];
  for (const name of barred) expect([name, await viewer.page.getByRole("button", { name }).count()]).toEqual([name, 0]);
  await viewer.check("a viewer's page");
  await viewer.page.getByRole("button", { name: "DNS records" }).click();
  await viewer.page.getByText("What to publish has not been worked out").waitFor();
  expect(await viewer.page.getByRole("button", { name: "Check again" }).count()).toBe(0);

  const member = await visit(
    await invited(world, owner, `member-${owner.userId}@acme.test`, "MEMBER"),
    `/mailboxes/${mailboxId}`,
  );
  await member.page.getByRole("button", { name: "Pause…" }).waitFor();
  expect(await member.page.getByRole("button", { name: "More" }).count()).toBe(0);
  await member.page.goto(`${world.baseUrl}/w/${owner.workspaceId}/mailboxes/connect`);
  await member.page.getByText("Your role here does not let you connect").waitFor();
  await member.check("a member who may not connect");
}, 120_000);
