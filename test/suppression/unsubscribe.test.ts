import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import express from "express";
import { unsubscribeOf } from "../../api/public/unsubscribe.ts";
import { LANGUAGES, TEXTS } from "../../api/public/unsubscribe-texts.ts";
import { signToken } from "../../domain/access/tokens.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { listen } from "../../runtime/listen.ts";
import { loadGuardReasons } from "../../store/suppression/suppress.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function mailed() {
  const { workspaceId } = await world.workspace();
  const to = `${newId("led").toLowerCase()}@customer.test`;
  const { Lead, Recipient, Send } = scoped(workspaceId);
  const [leadId, campaignId, recipientId, sendId] = [newId("led"), newId("cmp"), newId("rcp"), newId("snd")];
  await Lead.insert({ _id: leadId, email: to, emailDomain: "customer.test" });
  await Recipient.insert({
    _id: recipientId,
    campaignId,
    leadId,
    email: to,
    shard: 0,
    cid: newId("rcp"),
    status: "IN_PROGRESS",
  });
  await Send.insert({ _id: sendId, to, recipientId, leadId, campaignId, state: "SENT" });
  return {
    workspaceId,
    to,
    recipientId,
    url: `${world.baseUrl}/u/${signToken(world.services.signing, "u", sendId)}`,
    sendId,
  };
}

const isOut = async (workspaceId: string, to: string) =>
  (await loadGuardReasons(workspaceId, [to])).get(to)?.includes("UNSUBSCRIBED") ?? false;

test.each([
  ["the one-click form", { body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }],
  ["a multipart form", { body: formOf("List-Unsubscribe", "One-Click") }],
  ["another body", { body: "{", headers: { "Content-Type": "application/json" } }],
  ["no body", {}],
])("a POST with %s unsubscribes the recipient before the response", async (_name, init) => {
  const { workspaceId, to, recipientId, url } = await mailed();
  const answer = await fetch(url, { method: "POST", redirect: "manual", ...init });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(await isOut(workspaceId, to)).toBe(true);
  expect(await scoped(workspaceId).Recipient.get(recipientId)).toMatchObject({ status: "UNSUBSCRIBED" });
});

test("a repeated unsubscribe request changes nothing and gets the same response", async () => {
  const { workspaceId, url } = await mailed();
  const events = () => scoped(workspaceId).ActivityEvent.count({ type: "UNSUBSCRIBE" });
  expect((await fetch(url, { method: "POST" })).status).toBe(200);
  expect(await events()).toBe(1);
  expect((await fetch(url, { method: "POST" })).status).toBe(200);
  expect(await events()).toBe(1);
});

test("opening the unsubscribe page changes nothing, and the page loads no resources and runs no scripts", async () => {
  const { workspaceId, to, url } = await mailed();
  const page = await fetch(url);
  expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'; form-action 'self'/);
  const html = await page.text();
  expect(html.match(/<button/g)).toHaveLength(1);
  expect(html).toContain('method="post"');
  expect(html).not.toMatch(/<script|src=|@import|url\(/);
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  expect(await isOut(workspaceId, to)).toBe(false);
});

/** The texts of a page: its heading and what it says. */
async function pageAt(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, init);
  const html = await answer.text();
  const [, title = "", text = ""] = /<h1>([^<]*)<\/h1><p>([^<]*)<\/p>/.exec(html) ?? [];
  return { status: answer.status, headers: answer.headers, html, title, text };
}

/** Where the page's own button posts, and where its link leads. */
function ways(html: string, url: string) {
  const [, action = ""] = /<form method="post" action="([^"]*)"/.exec(html) ?? [];
  const [, link = ""] = /<a href="([^"]*)"/.exec(html) ?? [];
  return { action: new URL(action, url).href, link: new URL(link, url).href };
}

test("the unsubscribe page says that nothing has changed yet, and after the button is pressed that no more emails come", async () => {
  const { workspaceId, to, url } = await mailed();
  const masked = `${to.slice(0, 1)}•••@customer.test`;
  const before = await pageAt(url);
  expect(before.text).toBe(
    `Nothing has changed yet. When you press the button, this sender will send no more emails to ${masked}.`,
  );
  expect(before.html).not.toContain(to);
  const after = await pageAt(ways(before.html, url).action, {
    method: "POST",
    headers: { "Accept-Language": "de-AT,de;q=0.9" },
  });
  expect([after.status, after.headers.get("content-type"), after.title]).toEqual([
    200,
    "text/html; charset=utf-8",
    "Abgemeldet",
  ]);
  expect(after.text).toContain(`sendet keine E-Mails mehr an ${masked}`);
  expect(after.html).not.toMatch(/<button|<a /);
  expect(await isOut(workspaceId, to)).toBe(true);
  const again = await pageAt(url);
  expect([again.title, again.html.includes("<button")]).toEqual(["Unsubscribed", false]);
  expect(again.text).toBe(`This sender sends no more emails to ${masked}. There is nothing left to do.`);
});

test("a link on the unsubscribe page, for readers of a forwarded email, changes nothing and says so", async () => {
  const { workspaceId, to, url } = await mailed();
  const page = await pageAt(ways((await pageAt(url)).html, url).link);
  expect([page.status, page.title]).toEqual([200, "Nothing was changed"]);
  expect(page.text).toMatch(/Nothing was changed for that address or for yours/);
  expect(page.html).not.toContain("<button");
  expect(await isOut(workspaceId, to)).toBe(false);
  expect(ways(page.html, url).link).toBe(`${url}?`);
});

test.each([
  ["en-GB,en;q=0.9", "en", "Unsubscribe"],
  ["de-CH", "de", "Abmelden"],
  ["fr", "fr", "Se désabonner"],
  ["es-MX,en;q=0.3", "es", "Darse de baja"],
  ["it-IT", "it", "Annulla l’iscrizione"],
  ["pt-BR,pt;q=0.9", "pt", "Cancelar a subscrição"],
  ["nl", "nl", "Afmelden"],
  ["ja,zh;q=0.8", "en", "Unsubscribe"],
  ["*;q=9,;;de--x,%00", "en", "Unsubscribe"],
])("a browser with the language %s reads the unsubscribe page in %s", async (accepted, language, button) => {
  const { url } = await mailed();
  const { headers, html } = await pageAt(url, { headers: { "Accept-Language": accepted } });
  expect([headers.get("content-language"), headers.get("vary")]).toEqual([
    language,
    expect.stringContaining("Accept-Language"),
  ]);
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).toContain(`<button type="submit">${button}</button>`);
});

test("the unsubscribe page has every text in every language, and no text appears in two languages", () => {
  const said = LANGUAGES.map((language) =>
    Object.values(TEXTS[language]).map((text) => (typeof text === "string" ? text : text("a•••@b.test"))),
  );
  expect(said.flat().filter((text) => text.trim() === "")).toEqual([]);
  for (const [index, texts] of said.entries()) {
    const { before, done, already, forwarded } = TEXTS[LANGUAGES[index] ?? "en"];
    for (const text of [before, done, already, forwarded]) expect(text("a•••@b.test")).toContain("a•••@b.test");
    const others = said.filter((_, other) => other !== index).flat();
    expect(texts.filter((text) => others.includes(text))).toEqual([]);
  }
});

test("without the database the unsubscribe page still shows the button, and a failed press asks to try again", async () => {
  const services = {
    ...world.services,
    get signing(): never {
      throw Object.assign(new Error("away"), { name: "MongoServerSelectionError" });
    },
  };
  const { port, close } = await listen(express().use(unsubscribeOf(services)), 0, { host: "127.0.0.1" });
  const url = `http://127.0.0.1:${port}/u/any`;
  const before = await pageAt(url);
  const after = await pageAt(ways(before.html, url).action, { method: "POST" });
  const oneClick = await fetch(url, { method: "POST" });
  await close();
  expect([before.status, before.text]).toEqual([
    200,
    expect.stringMatching(/^Nothing has changed yet.* to the address to which the email was sent/),
  ]);
  expect([after.status, after.text]).toEqual([
    503,
    "You are not unsubscribed yet. Please press the button again in a moment.",
  ]);
  expect(after.html).toContain("<button");
  expect([oneClick.status, oneClick.headers.get("content-type")]).toEqual([503, "text/plain; charset=utf-8"]);
});

test("the content security policy of the unsubscribe page allows only the style of the page", async () => {
  const { url } = await mailed();
  const { headers, html } = await pageAt(url);
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(headers.get("content-security-policy")).toBe(
    `default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; style-src 'sha256-${hash}'`,
  );
});

test("an unsubscribe link with an invalid token returns 404 to a POST and shows that the link is not valid", async () => {
  const { url, sendId } = await mailed();
  const forOpens = signToken(world.services.signing, "o", sendId);
  const forNothing = signToken(world.services.signing, "u", newId("snd"));
  for (const token of ["x", forOpens, forNothing, `${url.split("/u/")[1]}x`]) {
    expect((await fetch(`${world.baseUrl}/u/${token}`, { method: "POST" })).status).toBe(404);
    const byPage = await pageAt(`${world.baseUrl}/u/${token}?page`, { method: "POST" });
    expect([byPage.status, byPage.title]).toEqual([404, "This link is not valid"]);
    const opened = await pageAt(`${world.baseUrl}/u/${token}`);
    expect([opened.status, opened.title, opened.html.includes("<button")]).toEqual([
      200,
      "This link is not valid",
      false,
    ]);
  }
});

function formOf(name: string, value: string): FormData {
  const form = new FormData();
  form.set(name, value);
  return form;
}
