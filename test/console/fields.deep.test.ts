import { expect, test } from "@jest/globals";
import { until } from "../fakes/wait.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import type { Look } from "./chromium.ts";
import { useSetup, visit, world } from "./leads-setup.ts";

useSetup();

type Field = { label: string; key: string; options: string[] | null; archived: boolean };

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "custom fields are created, edited, reordered, archived and restored: %p",
  async (look) => {
    const person = await signedIn(world);
    const { rest, workspaceId } = person;
    const stored = async (): Promise<Field[]> => (await rest.get("/custom-fields")).body;
    const labels = async () => (await stored()).map(({ label }) => label);
    const { page, check } = await visit(person, `/w/${workspaceId}/fields`, look);
    await page.getByText("No custom fields yet.").waitFor();
    await check("no fields");
    await page.getByRole("button", { name: "New field" }).click();
    const dialog = page.getByRole("dialog", { name: "New field" });
    await dialog.getByLabel("Name").fill("Company size");
    await dialog.getByLabel("Type").selectOption("SELECT");
    await dialog.getByLabel("Options").fill("small\n\n large \nsmall");
    await dialog.getByLabel("Key").fill("Bad key");
    await dialog.getByRole("button", { name: "Create field" }).click();
    await dialog.getByText("must begin with a small letter").waitFor();
    await check("a wrong key");
    expect(await stored()).toEqual([]);
    await dialog.getByLabel("Key").fill("");
    await dialog.getByRole("button", { name: "Create field" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await stored()).toMatchObject([{ key: "companySize", options: ["small", "large"] }]);
    const size = page.getByRole("row", { name: /Company size/ });
    expect(await size.getByRole("textbox", { name: "Variable of Company size" }).inputValue()).toBe(
      "{{customFields.companySize}}",
    );

    await rest.post("/custom-fields", { label: "Opener" });
    await rest.post("/custom-fields", { label: "Budget", type: "NUMBER" });
    await page.reload();
    await page.getByRole("button", { name: "Move Budget up" }).focus();
    // The second press does not wait for the answer to the first one
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Move Budget up", disabled: true }).waitFor();
    expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Move Budget up");
    const isStored = async () => (await labels()).join() === "Budget,Company size,Opener";
    await until(isStored, { deadlineMs: 300_000, what: "both moves in the service" });
    await check("fields in another order");

    await size.getByRole("button", { name: "Edit" }).click();
    const edit = page.getByRole("dialog", { name: "Edit Company size" });
    await edit.getByLabel("Options").fill("");
    await edit.getByLabel("Name").fill("Headcount");
    await edit.getByLabel("Options").fill("1 to 10\nmore");
    await edit.getByRole("button", { name: "Save" }).click();
    await page.getByText("Field Headcount saved.").waitFor();
    expect((await stored()).find(({ key }) => key === "companySize")).toMatchObject({
      label: "Headcount",
      options: ["1 to 10", "more"],
    });

    const opener = page.getByRole("row", { name: /Opener/ });
    await opener.getByRole("button", { name: "Archive" }).click();
    const asked = page.getByRole("dialog", { name: "Archive" });
    await asked.getByText("No value is lost").waitFor();
    await check("what archiving does");
    await asked.getByRole("button", { name: "Archive" }).click();
    await opener.waitFor({ state: "detached" });
    expect(await labels()).toEqual(["Budget", "Headcount"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await opener.waitFor();
    await opener.getByRole("button", { name: "Archive" }).click();
    await asked.getByRole("button", { name: "Archive" }).click();
    await opener.waitFor({ state: "detached" });
    await page.getByLabel("Show archived fields").check();
    await opener.getByText("archived", { exact: true }).waitFor();
    await check("an archived field");
    await opener.getByRole("button", { name: "Restore" }).click();
    await opener.getByText("archived", { exact: true }).waitFor({ state: "detached" });
    expect(await labels()).toEqual(["Budget", "Headcount", "Opener"]);
  },
  120_000,
);

test("a refused order is restored and says why, and a viewer can only read the fields", async () => {
  const owner = await signedIn(world);
  const { rest, workspaceId } = owner;
  for (const label of ["First", "Second"]) await rest.post("/custom-fields", { label });
  const { page } = await visit(owner, `/w/${workspaceId}/fields`);
  await page.getByRole("row", { name: /First/ }).waitFor();
  // Someone else adds a field, which this page does not know yet
  await rest.post("/custom-fields", { label: "Third" });
  await page.getByRole("button", { name: "Move Second up" }).click();
  await page.getByText("must be all fields that are not archived").first().waitFor();
  await page.getByRole("row", { name: /Third/ }).waitFor();
  expect((await rest.get("/custom-fields")).body.map(({ label }: Field) => label)).toEqual([
    "First",
    "Second",
    "Third",
  ]);
  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`.toLowerCase(), "VIEWER");
  const seen = await visit(viewer, `/w/${workspaceId}/fields`);
  await seen.page.getByRole("row", { name: /Third/ }).waitFor();
  expect(
    await seen.page
      .getByRole("main")
      .getByRole("button", { name: /New|Edit|Archive|Move/ })
      .count(),
  ).toBe(0);
}, 60_000);
