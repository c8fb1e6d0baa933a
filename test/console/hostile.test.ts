import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Frame, Page } from "playwright-core";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { newBrowser } from "../support/person.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { vectorsAt } from "./hostile-mail.ts";
import { conversationIn } from "./inbox-parts.ts";
import { visitAs } from "./signed-in-visit.ts";

let world: World;
let chromium: Chromium;
/** Someone outside, who counts who asks: requests by path, and connections. */
let outside: Server;
let origin: string;
const asked: string[] = [];
let connections = 0;

beforeAll(async () => {
  world = await startWorld({ console: await builtConsole() });
  chromium = await startChromium();
  outside = createServer((req, res) => {
    asked.push(req.url ?? "");
    res.setHeader("Access-Control-Allow-Origin", "*").end("ran=1");
  }).on("connection", () => connections++);
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = outside.address();
  origin = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
  await new Promise((resolve) => outside?.close(resolve));
});

async function conversation(html: string): Promise<{ person: SignedIn; path: string }> {
  const person = await signedIn(world);
  const { _id } = await storedMailbox(person.workspaceId);
  const { threadId } = await conversationIn(person.workspaceId, _id, {
    from: "mallory@evil.test",
    name: "Mallory",
    html,
  });
  return { person, path: `/w/${person.workspaceId}/inbox?open=${threadId}` };
}

/** The frame of the mail once it shows something. */
async function frameOf(page: Page): Promise<Frame> {
  await page.frameLocator("iframe.mail-frame").locator("body > *").first().waitFor();
  const frame = page.frames().find((one) => one.url().includes("/console/mail-frame"));
  if (frame === undefined) throw new Error("The page has no frame of a mail");
  return frame;
}

/** What a script that ran reported to the page. */
async function listenIn(page: Page): Promise<string[]> {
  const ran: string[] = [];
  await page.exposeFunction("__ran", (what: string) => ran.push(what));
  await page.evaluate('addEventListener("message", ({ data }) => typeof data === "string" && __ran(data))');
  return ran;
}

const quiet = async () => {
  const before = asked.length;
  await new Promise((resolve) => setTimeout(resolve, 700));
  return asked.length === before;
};

test("the frame of an email has an opaque origin and its own content policy, and images are only allowed under a second address", async () => {
  const browser = newBrowser(world.baseUrl);
  const policy = (images: string) =>
    `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src ${images}; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts`;
  for (const [path, images] of [
    ["/console/mail-frame", "data:"],
    ["/console/mail-frame?images=1", "https: data:"],
    ["/console/mail-frame?images=0", "data:"],
  ] as const) {
    const answer = await browser.fetch(path);
    expect([path, answer.status, answer.headers.get("content-security-policy")]).toEqual([path, 200, policy(images)]);
    const [, script = ""] = /<script src="([^"]+)" defer>/.exec(await answer.text()) ?? [];
    const served = await browser.fetch(script);
    expect([served.status, served.headers.get("cross-origin-resource-policy")]).toEqual([200, "cross-origin"]);
  }
});

test("an email with 200 known attack vectors, cleaned by the service, runs nothing and loads nothing", async () => {
  const vectors = vectorsAt(origin);
  expect(vectors.length).toBeGreaterThanOrEqual(200);
  const { person, path } = await conversation(vectors.map(({ html }) => `<div>${html}</div>`).join("\n"));
  const { page, check } = await visitAs(person, chromium, `${world.baseUrl}${path}`);
  const ran = await listenIn(page);
  const frame = await frameOf(page);
  expect(await frame.evaluate("self.origin")).toBe("null");
  await check("a hostile mail");
  expect([ran, asked, connections]).toEqual([[], [], 0]);
}, 60_000);

test("200 known attack vectors that reach the frame of an email uncleaned run nothing and load nothing", async () => {
  const { person, path } = await conversation("<p>Hello</p>");
  const { page, complaints } = await visitAs(person, chromium, `${world.baseUrl}${path}`);
  const ran = await listenIn(page);
  const frame = await frameOf(page);
  for (const { html } of vectorsAt(origin)) {
    await page.evaluate(
      `document.querySelector("iframe.mail-frame").contentWindow.postMessage({ html: ${JSON.stringify(html)}, scheme: "light", quoted: "" }, "*")`,
    );
  }
  const last = vectorsAt(origin).length - 1;
  await frame.getByText(String(last), { exact: true }).waitFor();
  // Also all at once, so that an element that one leaves open meets the next one
  const all = vectorsAt(origin).map(({ html }) => html);
  await page.evaluate(
    `document.querySelector("iframe.mail-frame").contentWindow.postMessage({ html: ${JSON.stringify(all.join("\n"))}, scheme: "light", quoted: "" }, "*")`,
  );
  for (const link of await frame.locator("a[href]").all())
    expect(await link.getAttribute("href")).toMatch(/^(?:https?:|mailto:|tel:)/);
  await until(quiet, { deadlineMs: 20_000, what: "nobody to ask for anything" });
  expect([ran, asked, connections]).toEqual([[], [], 0]);
  expect(await frame.evaluate("typeof window.ran")).toBe("undefined");
  // Reading is not showing, but the browser already looks at what it reads: there the policy of the frame is what
  // forbids it
  expect(complaints.filter((one) => !one.includes("violates the following Content Security Policy"))).toEqual([]);
  expect(new URL(page.url()).pathname).toContain("/inbox");
}, 60_000);

test("a hostile text of a sequence runs nothing and loads nothing in the page of its campaign", async () => {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  const { campaignId } = await readyCampaign(rest, workspaceId);
  // The API refuses such HTML, so the test writes it to the database
  const vectors = vectorsAt(origin).map((vector) => vector.html);
  const html = `<img src="https://pixel.evil.test/one.png">${vectors.join("\n")}`;
  const bodyText = `<img src=x onerror="fetch('${origin}/text')">`;
  const label = `<img src=x onerror="fetch('${origin}/label')">`;
  const fields = { bodyHtml: html, bodyText, subject: `<script src="${origin}/subject"></script>`, label };
  const set = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`steps.0.variants.0.${name}`, value]));
  await scoped(workspaceId).Sequence.updateOne({ campaignId }, { $set: set });
  const address = `${world.baseUrl}/w/${workspaceId}/campaigns`;
  const { page, context, complaints } = await visitAs(person, chromium, address);
  const wanted: string[] = [];
  context.on("request", (request) => wanted.push(request.url()));
  await page.goto(`${address}/${campaignId}?part=sequence&view=overview`);
  const ran = await listenIn(page);
  const frame = await frameOf(page);
  expect(await frame.evaluate("self.origin")).toBe("null");
  await page.getByText(`${origin}/subject`).first().waitFor();
  await page.getByText("Images are not loaded here.").waitFor();
  await page.getByText("HTML source").click();
  await page.getByRole("button", { name: "Plain text" }).click();
  await page.getByText(`${origin}/text`).waitFor();
  await until(quiet, { deadlineMs: 20_000, what: "the end of all requests" });
  await page.goto(`${address}/${campaignId}?part=sequence`);
  // The service may refuse to render such a text; the editor then says so instead of showing it
  await page.getByRole("region", { name: "Preview" }).locator("iframe, .alert").first().waitFor();
  await page.getByRole("button", { name: "Plain text" }).last().click();
  await until(quiet, { deadlineMs: 20_000, what: "the end of all requests of the editor" });
  expect([ran, asked, connections]).toEqual([[], [], 0]);
  expect(wanted.filter((url) => !url.startsWith(world.baseUrl))).toEqual([]);
  expect(complaints.filter((one) => !one.includes("violates the following Content Security Policy"))).toEqual([]);
}, 60_000);

test("images load only over https and after the reader asks for them, and a link opens a tab that learns nothing about the console", async () => {
  const images = [
    '<img src="https://pixel.evil.test/one.png" alt="One">',
    `<img src="${origin}/plain.png">`,
    '<img src="//pixel.evil.test/two.png"><img srcset="https://pixel.evil.test/three.png 2x">',
    '<p style="background:url(https://pixel.evil.test/four.png)">Hello</p>',
    '<a href="https://link.evil.test/x">Our offer</a>',
  ];
  const { person, path } = await conversation(images.join("\n"));
  const { page, context, complaints } = await visitAs(person, chromium, `${world.baseUrl}${path}`);
  const wanted: string[] = [];
  await context.route("https://*.evil.test/**", (route) => {
    wanted.push(route.request().url());
    return route.fulfill({
      status: 200,
      contentType: "image/gif",
      body: Buffer.from("R0lGODlhAQABAAAAACw=", "base64"),
    });
  });
  const frame = await frameOf(page);
  await frame.getByText("Hello").waitFor();
  expect([wanted, asked]).toEqual([[], []]);
  await page.getByRole("button", { name: "Load images" }).click();
  await until(() => wanted.length > 0, { deadlineMs: 20_000, what: "the image" });
  await until(quiet, { deadlineMs: 20_000, what: "nobody to ask for anything" });
  expect([wanted, asked, connections]).toEqual([["https://pixel.evil.test/one.png"], [], 0]);
  const shown = await frameOf(page);
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    shown.getByRole("link", { name: "Our offer" }).click(),
  ]);
  await opened.waitForURL("https://link.evil.test/x");
  expect(await opened.evaluate("[window.opener, document.referrer]")).toEqual([null, ""]);
  expect(complaints.filter((one) => !one.includes("evil.test"))).toEqual([]);
}, 60_000);
