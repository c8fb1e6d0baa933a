import { expect, test } from "@jest/globals";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { newId } from "../../mongo/ids.ts";
import { loadCap } from "../../store/sending/caps.ts";
import { until } from "../fakes/wait.ts";
import { signedIn } from "../support/signed-in.ts";
import { jobUnderWay } from "./planted.ts";
import { useSetup, visit, world } from "./system-setup.ts";

useSetup();

test("a person who is not an operator does not see the system page in the navigation and is refused at its address", async () => {
  const person = await signedIn(world);
  // The first person of a database is an operator
  await User.updateOne({ _id: person.userId }, { $set: { isOperator: false } });
  const { page, check } = await visit(person, "/jobs");
  await page.getByText("No jobs yet.").waitFor();
  expect(await page.getByRole("link", { name: "System" }).count()).toBe(0);
  await page.goto(`${world.baseUrl}/w/${person.workspaceId}/system`);
  await page.getByText("Only operators see the state of the deployment.").waitFor();
  await check("the refusal");
}, 60_000);

test("a job shows its progress and the results of its rows, and the cancel dialog says what remains", async () => {
  const person = await signedIn(world);
  const { Job } = scoped(person.workspaceId);
  const _id = await jobUnderWay(person.workspaceId);
  const { page, check } = await visit(person, `/jobs?open=${_id}`, { width: 380 });
  await page.getByText("300 of 1,200").waitFor();
  await page.getByRole("cell", { name: "ada@people.test" }).waitFor();
  await check("a job under way");
  await page.getByRole("button", { name: "Cancel" }).click();
  const card = page.getByRole("dialog", { name: "Cancel" });
  await card.getByText("300 of 1,200 rows are done and stay.").waitFor();
  await check("what cancelling does");
  await card.getByRole("button", { name: "Cancel job" }).click();
  await page.getByRole("cell", { name: "cancelled" }).waitFor();
  expect((await Job.get(_id))?.status).toBe("CANCELLED");
  expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(0);
}, 60_000);

test("an operator searches a workspace, suspends it with a reason, limits it, resumes it, and finds the workspace of a reported email", async () => {
  const person = await signedIn(world);
  await User.updateOne({ _id: person.userId }, { $set: { isOperator: true } });
  const { workspaceId } = await world.workspace();
  const messageId = `<${newId("snd")}@a.test>`;
  await scoped(workspaceId).Send.insert({
    _id: newId("snd"),
    to: "a@b.test",
    sendKey: newId("key"),
    messageIds: [messageId],
  });
  const { page, check } = await visit(person, "/system");
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("textbox", { name: "Id of the email" }).fill(messageId);
  await page.getByRole("button", { name: "Find workspace" }).click();
  await page.getByRole("status").getByText(workspaceId).waitFor();
  const row = page.getByRole("row").filter({ hasText: workspaceId });
  await row.getByRole("button", { name: "Suspend Acme" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("no email of the workspace or of its client workspaces leaves").waitFor();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Many bounces");
  await check("the suspension is asked for");
  await dialog.getByRole("button", { name: "Suspend workspace" }).click();
  await row.getByText("Many bounces").waitFor();
  expect((await Workspace.findOne({ _id: workspaceId }).lean<Workspace>())?.suspension).toMatchObject({
    by: "OPERATOR",
    reason: "Many bounces",
  });
  await row.getByRole("button", { name: "Resume Acme" }).click();
  await dialog.getByRole("button", { name: "Resume workspace" }).click();
  await row.getByRole("button", { name: "Suspend Acme" }).waitFor();
  await row.getByRole("button", { name: "Limit Acme" }).click();
  await dialog.getByRole("spinbutton", { name: "Most a day" }).fill("20");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("A new list");
  await dialog.getByRole("button", { name: "Set limit" }).click();
  await row.getByText("At most 20 a day").waitFor();
  await row.getByRole("button", { name: "Limit Acme" }).click();
  const most = dialog.getByRole("spinbutton", { name: "Most a day" });
  expect(await most.inputValue()).toBe("20");
  // The limit of emails says nothing about another one, and a blank field removes none
  await dialog.getByRole("combobox", { name: "Limited" }).selectOption("CONNECTION_TESTS");
  expect(await most.inputValue()).toBe("");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("As before");
  await dialog.getByRole("button", { name: "Set limit" }).click();
  await dialog.getByRole("combobox", { name: "Limited" }).selectOption("EMAILS");
  expect((await loadCap(workspaceId))?.most).toBe(20);
  await dialog.getByRole("combobox", { name: "Change" }).selectOption("remove");
  await dialog.getByRole("button", { name: "Remove limit" }).click();
  await until(async () => (await loadCap(workspaceId)) === null, { deadlineMs: 10_000, what: "no limit" });
  await check("the workspaces");
}, 60_000);

test("an operator checks the set-up on the System page and reads what each check found", async () => {
  const person = await signedIn(world);
  await User.updateOne({ _id: person.userId }, { $set: { isOperator: true } });
  const { page, check } = await visit(person, "/system");
  await page.getByRole("button", { name: "Check set-up" }).click();
  const row = page.getByRole("row").filter({ hasText: "MongoDB replica set" });
  await row.getByText("it has a primary.").waitFor({ timeout: 60_000 });
  await row.getByText("OK").waitFor();
  await page.getByRole("row").filter({ hasText: "Temporal fairness" }).getByText("skipped").waitFor();
  await check("the checks of the set-up");
}, 120_000);
