import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DEAD_LINK_TEXTS } from "../../api/pages/dead-link-texts.ts";
import { LANGUAGES } from "../../api/public/unsubscribe-texts.ts";
import { SignInLink } from "../../models/sign-in/sign-in-link.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { newBrowser } from "../support/person.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const COMMAND = "npm run user:link -- --email &#60;address&#62;";
const INVITED = "Ask the person who invited you for a new link.";
const LATE = { $set: { expiresAt: new Date(Date.now() - 1) } };

async function used(): Promise<string> {
  const { ownerId } = await world.workspace();
  const path = `/sign-in/${await createPersonLink(ownerId, new Date())}`;
  const browser = newBrowser(world.baseUrl);
  await browser.open(path);
  await browser.submit({ password: PASSWORD });
  return path;
}

async function late(): Promise<string> {
  const { ownerId } = await world.workspace();
  const path = `/sign-in/${await createPersonLink(ownerId, new Date())}`;
  await SignInLink.updateMany({ userId: ownerId }, LATE);
  return path;
}

async function invite(
  end: (id: string, post: (body: object) => Promise<unknown>) => Promise<unknown>,
): Promise<string> {
  const owner = await signedIn(world);
  const post = (body: object) => owner.rest.post("/invites/manage", body);
  const { body } = await post({ action: "create", email: `kim-${owner.userId}@people.test`, role: "MEMBER" });
  await end(body.id, post);
  return new URL(body.inviteUrl).pathname;
}

test.each<[string, () => Promise<string>, string, string[], string[]]>([
  ["that was used", used, "This link was already used.", [COMMAND], [INVITED]],
  ["that is late", late, "This link has expired.", [COMMAND], [INVITED]],
  ["that is unknown", async () => "/sign-in/nothing", "This link is not valid.", [COMMAND, INVITED], []],
  [
    "of an invite that is late",
    () => invite((inviteId) => SignInLink.updateMany({ inviteId }, LATE)),
    "The link of this invite has expired.",
    [INVITED],
    [COMMAND],
  ],
  [
    "of an invite that was revoked",
    () => invite((inviteId, post) => post({ action: "revoke", inviteId })),
    "This invite was revoked",
    [INVITED],
    [COMMAND],
  ],
])(
  "the page of a link %s says why the link is invalid, how to get a valid one, and links the sign-in page",
  async (_which, made, why, says, not) => {
    const path = await made();
    const browser = newBrowser(world.baseUrl);
    const html = await browser.open(path);
    expect(browser.page.status).toBe(404);
    for (const said of [why, '<a href="/login">Go to the sign-in page</a>', ...says]) expect(html).toContain(said);
    for (const said of not) expect(html).not.toContain(said);
  },
);

test.each([...LANGUAGES])(
  "the page of an invalid link is shown in %s to a browser that prefers that language",
  async (language) => {
    const browser = newBrowser(world.baseUrl, { "Accept-Language": `${language}-x;q=0.9,${language}` });
    const html = await browser.open("/sign-in/nothing");
    expect(browser.page.headers.get("content-language")).toBe(language);
    expect(browser.page.headers.get("vary")).toContain("Accept-Language");
    expect(html).toContain(`<html lang="${language}">`);
    const { title, signIn } = DEAD_LINK_TEXTS[language];
    for (const text of [title, signIn]) expect(html).toContain(text);
  },
);

test("a form that is sent after its link has become invalid gets the page of an invalid link", async () => {
  const { ownerId } = await world.workspace();
  const browser = newBrowser(world.baseUrl);
  await browser.open(`/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await createPersonLink(ownerId, new Date());
  const html = await browser.submit({ password: PASSWORD });
  expect([browser.page.status, html]).toEqual([404, expect.stringContaining("a newer link has replaced it")]);
});
