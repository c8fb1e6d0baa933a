/**
 * What a browser does to press everything on a page: run in the page itself, since a thousand presses from outside
 * would take minutes. Whatever would write is noted and kept back.
 */
export const KEEP_BACK = `(() => {
  window.written = [];
  window.reading = 0;
  const real = window.fetch.bind(window);
  const kept = { code: "KEPT_BACK", message: "Nothing of this test is written" };
  window.fetch = (address, request = {}) => {
    const method = (request.method ?? "GET").toUpperCase();
    if (method === "GET") {
      window.reading += 1;
      return real(address, request).finally(() => setTimeout(() => (window.reading -= 1), 20));
    }
    window.written.push({ method, path: new URL(address, location.href).pathname, body: typeof request.body === "string" ? request.body : "{}" });
    return Promise.resolve(new Response(JSON.stringify(kept), { status: 409, headers: { "Content-Type": "application/json" } }));
  };
})()`;

/**
 * Resolves once the page shows itself and has read nothing for a while. A part whose file is still loading shows no sign
 * of it.
 */
export const SETTLED = `new Promise((resolve, reject) => {
  const begun = Date.now();
  let quietSince = null;
  const look = () => {
    const reads = window.reading > 0 || [...document.querySelectorAll(".looking")].some((one) => one.textContent !== "");
    if (document.querySelector("main h1") === null || reads) quietSince = null;
    else quietSince ??= Date.now();
    if (quietSince !== null && Date.now() - quietSince >= 250) return resolve();
    if (Date.now() - begun > 15000) return reject(new Error("The page never came to rest: " + document.body.innerText.slice(0, 300)));
    setTimeout(look, 25);
  };
  look();
})`;

const MOST = 150;

/**
 * Presses every visible button, and every visible link that stays on the page, unless it was pressed before, also in
 * each dialog that opens. Answers with the names of all that were pressed. Ends early where a press led to another
 * page, or after many presses: then the caller opens the page anew and continues.
 */
export function pressAll(pressed: readonly string[]): string {
  return `(async () => {
  const pressed = new Set(${JSON.stringify(pressed)});
  const before = location.pathname;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const top = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;
  const sees = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getAttribute("aria-disabled") !== "true" && !one.disabled;
  const named = (one) => (one.getAttribute("aria-label") ?? one.textContent).trim().replace(/\\s+/g, " ");
  const LEAVES = /^(Sign out|Close|Done|Reload|×)$|^Hide\\b/;
  // In a dialog it takes back the dialog, on a page what was begun
  const leaves = (one) => LEAVES.test(named(one)) || (named(one) === "Cancel" && one.closest("dialog") !== null);
  const keyOf = (one) => [top()?.querySelector("h2")?.textContent ?? "", one.closest("tr")?.querySelector("th")?.textContent ?? "", named(one)].join(" / ").replace(/\\d+/g, "#");
  const give = (field, value) => {
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const VALUES = { email: "somebody@else.test", url: "https://hooks.example.com/in", number: "7", date: "2030-01-01", "datetime-local": "2030-01-01T10:00", time: "10:00", password: "correct horse battery" };
  const fill = (form) => {
    for (const field of form.querySelectorAll("input, textarea")) {
      if (field.readOnly || field.value !== "" || ["hidden", "checkbox", "file", "search"].includes(field.type)) continue;
      if (field.type === "radio") continue;
      give(field, VALUES[field.type] ?? (/mail/i.test(field.name) ? VALUES.email : "Something to say"));
    }
    const ticks = [...form.querySelectorAll("input[type=radio], input[type=checkbox]")];
    if (ticks.length > 0 && !ticks.some((one) => one.checked)) ticks[0].click();
  };
  let hasWaited = false;
  let isWhole = false;
  // The press that opened the dialog, and all in it
  let begun = [];
  for (let turn = 0; turn < ${MOST} && location.pathname === before; turn++) {
    const dialog = top();
    const menu = document.querySelector('[role="menu"]:popover-open');
    const within = dialog ?? document;
    const choices = [...(dialog?.querySelectorAll("input[type=radio]") ?? [])];
    if (choices.length > 0 && !choices.some((one) => one.checked)) {
      choices[0].click();
      await pause(20);
    }
    // A link that stays on the page opens a row or a part of it
    const stays = (one) => one.tagName === "BUTTON" || (one.pathname === before && one.closest("main") !== null && one.search !== location.search);
    const left = [...within.querySelectorAll("button, a[href]")].filter((one) => stays(one) && sees(one) && one.closest(".unsaved") === null && !leaves(one) && !pressed.has(keyOf(one)));
    // What changes the part of the page comes last: the one before would be left half pressed
    const next = left.find((one) => one.closest("nav") === null) ?? (hasWaited ? left[0] : undefined);
    if (next === undefined) {
      // What was pressed last may still be reading what its dialog shows
      isWhole = dialog === null && hasWaited;
      if (isWhole) break;
      if (!hasWaited) {
        hasWaited = true;
        await pause(400);
        continue;
      }
      dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
      await pause(30);
      if (top() === dialog) [...dialog.querySelectorAll("button")].find(leaves)?.click();
      await pause(30);
      // What was typed would be lost, which is asked about
      if (top() === dialog) dialog.querySelector(".unsaved .danger")?.click();
      await pause(30);
      if (top() === dialog) throw new Error("A dialog cannot be left: " + dialog.innerText.slice(0, 200));
      continue;
    }
    hasWaited = false;
    if (dialog === null) begun = [];
    begun.push(keyOf(next));
    pressed.add(keyOf(next));
    if (next.type === "submit" && next.form !== null) {
      fill(next.form);
      await pause(20);
    }
    if (menu !== null && !menu.contains(next)) menu.hidePopover();
    next.click();
    await pause(30);
    for (let wait = 0; wait < 600 && (window.reading > 0 || [...document.querySelectorAll(".looking")].some((one) => one.textContent !== "")); wait++) await pause(25);
  }
  // A dialog that is left before its end is opened again on the next visit, up to the press that led away
  const last = location.pathname === before ? undefined : begun.at(-1);
  if (!isWhole && (top() !== null || begun.length > 1)) for (const one of begun) if (one !== last) pressed.delete(one);
  return JSON.stringify({ pressed: [...pressed], isWhole });
})()`;
}
