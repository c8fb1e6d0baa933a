import { test } from "@jest/globals";
import type { Look } from "./chromium.ts";
import { press, specimen, useSetup } from "./kit-setup.ts";

useSetup();

test.each<Look>([{ theme: "light" }, { theme: "dark" }, { theme: "light", width: 380 }, { theme: "dark", width: 320 }])(
  "no component of the kit has an accessibility fault or is wider than the window: %p",
  async (look) => {
    const { page, check } = await specimen(look);
    for (const name of await page.getByText("As a table").all()) await name.click();
    await check("the specimen");
    await page.getByRole("button", { name: "Things to do" }).click();
    await page.getByRole("menuitem", { name: "First thing" }).waitFor();
    await check("a menu");
    await press(page, "Escape");
    await page.getByRole("combobox", { name: "Fruit" }).fill("ap");
    await page.getByRole("option", { name: "apple" }).waitFor();
    await check("what a field offers");
    await page.getByRole("button", { name: "Write something" }).click();
    await page.getByLabel("Name").fill("wrong");
    await press(page, "Enter");
    await page.getByText("must be another one").last().waitFor();
    await press(page, "Escape");
    await page.getByText("Your changes are not saved.").waitFor();
    await check("a form that is left");
  },
  60_000,
);
