import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
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
