import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { useSetup, visit, withCampaign } from "./frame-setup.ts";
import { mailIn, pathOf, previewIn, sequenceOf, stateIn, stepsIn, waitUntilSaved } from "./sequence-editor-parts.ts";

useSetup();

interface Focus {
  tag: string;
  name: string;
  /** Why a person cannot see where the focus is; blank if they can. */
  fault: string;
}

/** The element that has the focus, and whether a person sees that it has it. */
const FOCUS = `(() => {
  const one = document.activeElement;
  const name = one.getAttribute("aria-label") ?? [...(one.labels ?? [])].map(({ textContent }) => textContent).join(" ");
  const text = (name || one.innerText || one.textContent).replace(/\\s+/g, " ").trim().slice(0, 200);
  const faultOf = () => {
    if (["BODY", "MAIN", "H1", "H2", "IFRAME", "DIALOG"].includes(one.tagName)) return "";
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    if (!one.matches(":focus-visible") || outlineStyle === "none" || outlineWidth === "0px") return "no outline";
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + Math.min(height / 2, 40)];
    const above = document.elementFromPoint(x, y);
    const isSeen = above !== null && (one.contains(above) || above.contains(one) || [...(one.labels ?? [])].includes(above.closest("label")));
    return isSeen ? "" : "covered by " + (above?.outerHTML.slice(0, 80) ?? "the edge of the window");
  };
  return JSON.stringify({ tag: one.tagName, name: text, fault: faultOf() });
})()`;

const MOST_STOPS = 200;

async function focusIn(page: Page): Promise<Focus> {
  const focus: Focus = JSON.parse(String(await page.evaluate(FOCUS)));
  expect(`${focus.tag} ${focus.name}: ${focus.fault}`).toBe(`${focus.tag} ${focus.name}: `);
  return focus;
}

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string, key = "Tab"): Promise<void> {
  const passed: string[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press(key);
    const focus = await focusIn(page);
    if (focus.name === name) return;
    passed.push(focus.name);
  }
  throw new Error(`Tab does not reach ${name}, but ${[...new Set(passed)].join(" | ")}`);
}

/** Presses a key and fails if nothing has the focus afterwards. */
async function press(page: Page, key: string): Promise<Focus> {
  await page.keyboard.press(key);
  const focus = await focusIn(page);
  expect([key, focus.tag]).not.toEqual([key, "BODY"]);
  return focus;
}

/** Takes back what was done, by the button in its message. */
async function undo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await tabTo(page, "Undo", "Shift+Tab");
  await press(page, "Enter");
}

test("the sequence editor works by keyboard alone, and the focus is always visible and never lost", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, context, check } = await visit(person, pathOf(person));
  const tests: unknown[] = [];
  await context.route("**/test-send", (route) => {
    tests.push(route.request().postDataJSON());
    return route.fulfill({ json: { ok: true, messageId: "<1@sender.test>", sentTo: "me@own.test" } });
  });
  await stateIn(page).getByText("All changes are saved").waitFor();

  await tabTo(page, "Add email");
  expect((await press(page, "Enter")).name).toBe("Add email");
  await tabTo(page, "Subject");
  await page.keyboard.type("A question for ");
  await tabTo(page, "Insert variable");
  let item = await press(page, "Enter");
  for (let steps = 0; steps < 50 && !item.name.includes("{{email}}"); steps++) item = await press(page, "ArrowDown");
  expect((await press(page, "Enter")).name).toBe("Subject");
  expect(await page.getByLabel("Subject").inputValue()).toBe("A question for {{email}}");
  await page.keyboard.press("ControlOrMeta+z");
  expect(await page.getByLabel("Subject").inputValue()).toBe("A question for ");
  await page.keyboard.type("you");
  await tabTo(page, "Body");
  await page.keyboard.type("Hello {{email}}");
  await waitUntilSaved(page);
  await press(page, "End");

  await tabTo(page, "Add variant", "Shift+Tab");
  expect((await press(page, "Enter")).name).toBe("Add variant");
  await page.getByRole("button", { name: "Variant B 50%" }).waitFor();
  await tabTo(page, "Remove variant");
  await press(page, "Enter");
  await page.getByRole("button", { name: "Variant B" }).waitFor({ state: "detached" });
  await undo(page);
  await page.getByRole("button", { name: "Variant B 50%" }).waitFor();

  await tabTo(page, "Use conditions and other steps");
  await press(page, "Enter");
  const asked = page.getByRole("dialog", { name: "Use conditions and other steps?" });
  await asked.waitFor();
  await tabTo(page, "Use conditions and other steps");
  await page.keyboard.press("Enter");
  await asked.waitFor({ state: "detached" });
  expect((await focusIn(page)).tag).toBe("MAIN");
  await tabTo(page, "Add condition");
  expect((await press(page, "Enter")).name).toBe("Add condition");
  await tabTo(page, "Remove condition 1", "Shift+Tab");
  expect((await press(page, "Enter")).name).toBe("Add condition");
  await press(page, "Enter");
  await tabTo(page, "If", "Shift+Tab");
  await page.keyboard.type("Always");
  await waitUntilSaved(page);

  await tabTo(page, "Next recipient");
  expect((await press(page, "Enter")).name).toBe("Next recipient");
  await mailIn(page)
    .getByText("Hello ada@example.test")
    .or(previewIn(page).getByText("Hello ada@example.test"))
    .first()
    .waitFor();
  await tabTo(page, "Use example lead");
  await press(page, "Enter");
  await previewIn(page).getByText("For An example lead").waitFor();

  await tabTo(page, "Move step 2 up", "Shift+Tab");
  await press(page, "Enter");
  await tabTo(page, "Move step 1 down", "Shift+Tab");
  expect((await press(page, "Enter")).name).toBe("Move step 2 down");
  await tabTo(page, "Remove step 1", "Shift+Tab");
  await press(page, "Enter");
  await undo(page);
  await stepsIn(page).getByRole("button", { name: "2 Email" }).waitFor();
  await waitUntilSaved(page);

  await tabTo(page, "Send test email");
  await press(page, "Enter");
  const testing = page.getByRole("dialog", { name: "Send a test email" });
  await testing.getByLabel("To").waitFor();
  await tabTo(page, "To");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("me@own.test");
  await page.keyboard.press("Enter");
  await testing.waitFor({ state: "detached" });
  expect((await focusIn(page)).name).toBe("Send test email");
  expect(tests).toEqual([expect.objectContaining({ toEmail: "me@own.test" })]);
  await check("the editor after all of it");

  const { steps } = await sequenceOf(rest, campaignId);
  expect(steps[1].variants.map(({ subject }: { subject: string }) => subject)).toEqual([
    "A question for you",
    "A question for you",
  ]);
  expect(steps[1].conditions).toEqual([{ if: "ALWAYS", nextStepId: null }]);
  await tabTo(page, "Campaigns");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
  expect((await focusIn(page)).tag).toBe("H1");
}, 240_000);
