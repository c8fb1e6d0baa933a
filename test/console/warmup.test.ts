import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import { EMAIL, stored, useSetup, visit, world } from "./mailboxes-setup.ts";

useSetup();

/** A day of the warmup, so many days ago. */
async function warmed(workspaceId: string, mailboxId: string, daysAgo: number, counts: object): Promise<void> {
  const date = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  await scoped(workspaceId).WarmupDay.insert({ _id: `${mailboxId}:${date}`, mailboxId, date, ...counts });
}

test("a warmup is started in the browser with its ramp shown first, then changed, paused, resumed, stopped and removed", async () => {
  const person = await signedIn(world);
  const mailboxId = await stored(person.workspaceId, { warmupDailyLimit: 30 });
  const enrolment = async () => (await person.rest.get(`/warmup/enrolments/${mailboxId}`)).body;
  const { page, check } = await visit(person, "/mailboxes");
  await page.getByRole("link", { name: EMAIL }).click();
  await page.getByRole("button", { name: "Warmup" }).click();
  await page.getByText("No warmup yet").waitFor();
  await check("a mailbox without warmup");

  await page.getByRole("button", { name: "Start warmup…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It sends at most 3 emails today, and 1 more on each later day, up to 20 a day.").waitFor();
  await dialog.getByLabel("Preset").selectOption({ label: "Mailbox that already sends a lot" });
  await dialog.getByText("up to 30 a day. Its daily warmup limit keeps it at 30 a day.").waitFor();
  await dialog.getByLabel("Preset").selectOption({ label: "Your own ramp" });
  // The limits of the fields are those of the API
  const first = dialog.getByLabel("Emails on the first day");
  expect([await first.getAttribute("min"), await first.getAttribute("max")]).toEqual(["1", "20"]);
  expect(await dialog.getByLabel("Answers, in percent").getAttribute("max")).toBe("60");
  await first.fill("5");
  await dialog.getByText("It sends at most 5 emails today, and 1 more").waitFor();
  await dialog.getByLabel("Language of its emails").selectOption({ label: "German" });
  await check("the effect of a start");
  expect(await scoped(person.workspaceId).WarmupEnrolment.count()).toBe(0);
  await dialog.getByRole("button", { name: "Start warmup" }).dblclick();
  await page.getByText("warming up").first().waitFor();
  expect(await enrolment()).toMatchObject({
    status: "ACTIVE",
    preset: "CUSTOM",
    config: { start: 5, increment: 1, max: 20, replyRate: 0.3, language: "de", folder: "Warmup" },
  });

  await page.getByLabel("Preset").selectOption({ label: "Mailbox that has been in use" });
  await page.getByLabel("Flagged, in percent").fill("10");
  await page.getByRole("button", { name: "Save warmup settings" }).click();
  await page.getByText("Saved.").waitFor();
  expect(await enrolment()).toMatchObject({
    preset: "WARM",
    config: { start: 10, importantRate: 0.1, language: "de" },
  });
  await page.getByLabel("Share of Shared pool").fill("80");
  await page.getByRole("button", { name: "Save shares" }).click();
  await page.getByText("Shares saved.").waitFor();
  expect(await enrolment()).toMatchObject({ pools: [{ type: "SHARED", share: 0.8 }] });

  await page.getByRole("button", { name: "Pause warmup" }).click();
  await dialog.getByText("The ramp is kept").waitFor();
  await dialog.getByRole("button", { name: "Pause warmup" }).click();
  await page.getByText("Paused. What arrives is still read").waitFor();
  expect((await enrolment()).status).toBe("PAUSED");
  await page.getByRole("button", { name: "Resume warmup" }).click();
  await dialog.getByText("at most 10 emails today. The ramp continues with day 1.").waitFor();
  await dialog.getByRole("button", { name: "Resume warmup" }).click();
  await page.getByRole("button", { name: "Pause warmup" }).waitFor();

  await page.getByRole("button", { name: "More warmup actions" }).click();
  await page.getByRole("menuitem", { name: "Stop warmup…" }).click();
  await dialog.getByText("the ramp begins from the first day").waitFor();
  await check("the effect of a stop");
  await dialog.getByRole("button", { name: "Stop warmup" }).click();
  await page.getByText("It neither sends nor reads warmup emails").waitFor();
  await page.getByRole("button", { name: "More warmup actions" }).click();
  await page.getByRole("menuitem", { name: "Remove from warmup…" }).click();
  await dialog.getByRole("button", { name: "Remove from warmup" }).click();
  await page.getByText("No warmup yet").waitFor();
  expect(await scoped(person.workspaceId).WarmupEnrolment.count()).toBe(0);
}, 180_000);

test("the page of a warmup shows its days, why it sends nothing, and a refusal in words", async () => {
  const person = await signedIn(world);
  const mailboxId = await stored(person.workspaceId);
  await person.rest.post("/warmup/manage", { action: "start", mailboxId });
  await warmed(person.workspaceId, mailboxId, 0, { sent: 4, engaged: 3, replied: 2, inSpam: 1, rescued: 1 });
  await warmed(person.workspaceId, mailboxId, 3, { sent: 6, engaged: 5, replied: 3, inSpam: 0 });
  const { WarmupEnrolment } = scoped(person.workspaceId);
  await WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: { statusReason: "NO_PARTNER", replanAt: null } });
  const { page, check } = await visit(person, `/mailboxes/${mailboxId}?part=warmup`, { theme: "dark" });
  await page.getByText("No partner: no mailbox of another domain warms up").waitFor();
  await page.getByRole("img", { name: "Warmup emails by day" }).waitFor();
  await page.getByText("10% of sent").waitFor();
  await check("a warmup with its days");

  // Stopped by someone else meanwhile
  await page.getByRole("button", { name: "Pause warmup" }).click();
  await WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: { status: "STOPPED" } });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Pause warmup" }).click();
  await dialog.getByText("This is not possible in its current state").waitFor();

  await WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: { status: "SUSPENDED", statusReason: null } });
  const phone = await visit(person, `/mailboxes/${mailboxId}?part=warmup`, { width: 380 });
  await phone.page.getByText("blocked because of its reputation").waitFor();
  await phone.check("a suspended warmup on a phone");
}, 120_000);

test("the warmup of several mailboxes is started with one ramp, and a viewer sees the states but no button", async () => {
  const owner = await signedIn(world);
  for (const name of ["ann", "bob", "cy"]) {
    const email = `${name}@sender.test`;
    await stored(owner.workspaceId, { email, username: email, status: name === "cy" ? "DISCONNECTED" : "CONNECTED" });
  }
  const { page, check } = await visit(owner, "/mailboxes");
  await page.getByText("no warmup").first().waitFor();
  await page.getByLabel("Choose all of this page").check();
  await page.getByRole("button", { name: "Start warmup" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 mailboxes start to exchange emails").waitFor();
  await dialog.getByLabel("Ramp").selectOption({ label: "Mailbox that has been in use" });
  await dialog.getByText("at most 10 emails today, and 2 more").waitFor();
  await check("the effect of a start of several");
  await dialog.getByRole("button", { name: "Start warmup" }).click();
  await page.getByText("Done for 2 mailboxes.").waitFor();
  const { items } = (await owner.rest.get("/warmup/enrolments?sort=email")).body;
  expect(items.map(({ email, preset }: { email: string; preset: string }) => [email, preset])).toEqual([
    ["ann@sender.test", "WARM"],
    ["bob@sender.test", "WARM"],
  ]);

  const viewer = await visit(await invited(world, owner, `viewer-${owner.userId}@acme.test`, "VIEWER"), "/mailboxes");
  await viewer.page.getByText("warming up").first().click();
  await viewer.page.getByText("Your role cannot change the warmup.").waitFor();
  for (const name of ["Pause warmup", "More warmup actions", "Save warmup settings", "Save shares"])
    expect([name, await viewer.page.getByRole("button", { name }).count()]).toEqual([name, 0]);
  await viewer.check("the warmup of a viewer");
}, 120_000);
