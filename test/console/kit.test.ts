import { expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { press, specimen, useSetup } from "./kit-setup.ts";

useSetup();

const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.textContent || document.activeElement.name");

const gone = (place: Locator) => place.waitFor({ state: "detached" });

test("a dialog keeps the focus, starts on Cancel, closes on Esc and returns the focus", async () => {
  const { page } = await specimen();
  await page.getByRole("button", { name: "Throw it out" }).focus();
  await press(page, "Enter");
  const dialog = page.getByRole("dialog", { name: "Throw it out?" });
  await dialog.waitFor();
  expect(await focused(page)).toBe("Cancel");
  await press(page, "Tab", "Tab", "Tab");
  expect(
    await page.evaluate(
      "document.querySelector('dialog').contains(document.activeElement) || document.activeElement === document.body",
    ),
  ).toBe(true);
  await press(page, "Escape");
  await gone(dialog);
  expect(await focused(page)).toBe("Throw it out");
}, 30_000);

test("the arrow keys move through a menu, Enter runs the item, and Esc closes the menu and returns the focus", async () => {
  const { page } = await specimen();
  await page.getByRole("button", { name: "Things to do" }).focus();
  await press(page, "Enter");
  await page.locator("[role=menuitem]:focus").waitFor();
  await press(page, "ArrowDown");
  expect(await focused(page)).toBe("Second thing");
  await press(page, "End", "ArrowDown");
  expect(await focused(page)).toBe("First thing");
  await press(page, "ArrowUp");
  expect(await focused(page)).toBe("Third thing");
  await press(page, "Escape");
  await page.getByRole("menuitem", { name: "First thing" }).waitFor({ state: "hidden" });
  expect(await focused(page)).toBe("Things to do");
  await press(page, "Enter");
  await page.locator("[role=menuitem]:focus").waitFor();
  await press(page, "ArrowDown", "Enter");
  await page.locator(".toast").getByText("Second thing").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await gone(page.locator(".toast"));
}, 30_000);

test("in a field with suggestions the arrow keys choose a suggestion, and Esc closes only the list", async () => {
  const { page } = await specimen();
  const field = page.getByRole("combobox", { name: "Fruit" });
  await field.focus();
  await page.keyboard.type("ap");
  await page.getByRole("option", { name: "apricot" }).waitFor();
  await press(page, "ArrowDown", "ArrowDown");
  const chosen = await field.getAttribute("aria-activedescendant");
  expect(await page.locator(`[id="${chosen}"]`).textContent()).toBe("apricot");
  await press(page, "Escape");
  expect(await field.getAttribute("aria-expanded")).toBe("false");
  await press(page, "ArrowDown", "ArrowDown", "Enter");
  await page.getByText(/^Picked: ap/).waitFor();
}, 30_000);

test("an error of the server about a field is shown beside the field, which gets the focus and keeps the refused input", async () => {
  const { page } = await specimen();
  await page.getByRole("button", { name: "Write something" }).click();
  const dialog = page.getByRole("dialog", { name: "Write something" });
  await dialog.getByLabel("Name").fill("wrong");
  await press(page, "Enter");
  await dialog.getByText("must be another one").waitFor();
  expect(await dialog.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
  expect(await focused(page)).toBe("name");
  await press(page, "Escape");
  await dialog.getByText("Your changes are not saved.").waitFor();
}, 30_000);

test("Esc, Cancel, a link and the browser history ask before they discard typed input, but not after the input is saved", async () => {
  const { page } = await specimen();
  const dialog = page.getByRole("dialog", { name: "Write something" });
  const question = dialog.getByText("Your changes are not saved.");
  await page.getByRole("button", { name: "Write something" }).click();
  await press(page, "Escape");
  await gone(dialog);

  await page.getByRole("button", { name: "Write something" }).click();
  await dialog.getByLabel("Text").fill("Long thoughts");
  // The browser closes a dialog at the second Esc in a row whatever the page says
  await press(page, "Escape", "Escape", "Escape");
  await question.waitFor();
  expect(await focused(page)).toBe("Keep editing");
  await press(page, "Enter");
  await gone(question);
  expect(await dialog.getByLabel("Text").inputValue()).toBe("Long thoughts");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor();
  await dialog.getByRole("button", { name: "Keep editing" }).click();

  await dialog.getByLabel("Name").fill("Ada");
  await press(page, "Enter");
  await page.getByText("Ada is saved.").waitFor();
  await gone(dialog);

  await page.getByRole("link", { name: "Away from here" }).click();
  await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Write something" }).click();
  await dialog.getByLabel("Text").fill("Long thoughts");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe("beforeunload");
  await (await asked).dismiss();
  await page.evaluate("history.forward()");
  await question.waitFor();
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
}, 60_000);

test("a list changes pages by keyboard and keeps the page in the address, opens a row, and shows a refusal in the dialog of the refused action", async () => {
  const { page, check } = await specimen();
  const next = page.getByRole("button", { name: "Next page" });
  await next.focus();
  await press(page, "Enter");
  await page.getByText("6 to 10 of 12").waitFor();
  expect(new URL(page.url()).search).toBe("?page=2");
  await press(page, "Enter", "Enter");
  await page.getByText("11 to 12 of 12").waitFor();
  expect(await next.getAttribute("aria-disabled")).toBe("true");
  await page.goBack();
  await page.getByText("6 to 10 of 12").waitFor();
  await page.getByRole("button", { name: "Show" }).first().click();
  await page.getByText("Row 6 is open.").waitFor();
  await page.reload();
  await page.getByText("Row 6 is open.").waitFor();
  await page.getByRole("button", { name: "Previous page" }).click();

  await page.getByRole("row", { name: "Row 1 " }).getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove" });
  await dialog.getByRole("button", { name: "Remove Row 1 now" }).click();
  await dialog.getByText("The name is not right").waitFor();
  await check("a dialog that was refused");
  await press(page, "Escape");
  await gone(dialog);
  await page.getByRole("row", { name: "Row 2 " }).getByRole("button", { name: "Remove" }).click();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  await dialog.getByRole("button", { name: "Remove Row 2 now" }).click();
  await gone(dialog);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");

  await page.getByLabel("Choose Row 3").focus();
  await press(page, "Space");
  await page.getByLabel("Choose Row 4").check();
  await page.getByText("2 chosen").waitFor();
  await page.getByRole("button", { name: "Remove the chosen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the chosen" }).click();
  await page.getByText("of 9").waitFor();
  expect(await page.getByText("chosen", { exact: false }).filter({ hasText: /^\d/ }).count()).toBe(0);
}, 60_000);
