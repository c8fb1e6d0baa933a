import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newAuthenticator } from "../fakes/authenticator.ts";
import { newBrowser, type PersonBrowser } from "../support/person.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const ORIGIN = "http://localhost:3000";

async function withPasskey() {
  const person = await signedIn(world);
  const device = newAuthenticator("localhost");
  const { body } = await person.rest.post("/second-factor", { action: "offerPasskey" });
  const made = device.create(body.options, ORIGIN);
  const added = await person.rest.post("/second-factor", { action: "addPasskey", name: "Key", passkey: made });
  return { ...person, device, made, added };
}

/** Gives the password in a new browser, and opens the page that asks for the passkey. */
async function atPasskey(email: string): Promise<{ browser: PersonBrowser; options: { challenge: string } }> {
  const browser = newBrowser(world.baseUrl);
  await browser.open("/login");
  await browser.submit({ email, password: PASSWORD });
  expect(browser.page.html).toContain("Use a passkey instead");
  await browser.open("/login/passkey");
  const [, options = ""] = /id="options" type="hidden" name="options" value="([^"]*)"/.exec(browser.page.html) ?? [];
  return { browser, options: JSON.parse(options.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))) };
}

test("an added passkey comes with recovery codes and is asked for as second factor at the next sign-in", async () => {
  const { added, email, device } = await withPasskey();
  expect(added).toMatchObject({
    status: 200,
    body: { totp: false, passkeys: [{ name: "Key" }], recoveryCodesLeft: 10 },
  });
  expect(added.body.recoveryCodes).toHaveLength(10);
  const { browser, options } = await atPasskey(email);
  expect((await browser.console(null).get("/session")).status).toBe(401);
  expect(await browser.submit({ proof: JSON.stringify(device.get(options, ORIGIN)) })).toContain("Signed in");
  expect((await browser.console(null).get("/session")).body.hasSecondFactor).toBe(true);
});

test("a passkey of another device or site, an old challenge and invalid text are refused", async () => {
  const { email, device } = await withPasskey();
  const stranger = newAuthenticator("localhost");
  const refused = async (proofOf: (options: { challenge: string }) => object | string) => {
    const { browser, options } = await atPasskey(email);
    const proof = proofOf(options);
    await browser.submit({ proof: typeof proof === "string" ? proof : JSON.stringify(proof) });
    expect(browser.page.status).toBe(422);
    expect((await browser.console(null).get("/session")).status).toBe(401);
  };
  await refused((options) => stranger.get(options, ORIGIN));
  await refused((options) => device.get(options, "https://evil.test"));
  await refused(() => device.get({ challenge: "b2xk" }, ORIGIN));
  await refused((options) => ({ ...device.get(options, ORIGIN), response: {} }));
  await refused(() => "{");
  await refused(() => "null");
});

test("a passkey response can be used once", async () => {
  const { email, device } = await withPasskey();
  const { browser, options } = await atPasskey(email);
  const proof = JSON.stringify(device.get(options, ORIGIN));
  expect(await browser.submit({ proof })).toContain("Signed in");
  const again = await atPasskey(email);
  await again.browser.submit({ proof });
  expect(again.browser.page.status).toBe(422);
});

test("a passkey confirms a session for sensitive actions, and is removed by its id", async () => {
  const { rest, device, added } = await withPasskey();
  const { body } = await rest.post("/second-factor", { action: "askPasskey" });
  expect((await rest.post("/session/confirm", { password: PASSWORD })).status).toBe(400);
  const passkey = device.get(body.options, ORIGIN);
  expect((await rest.post("/session/confirm", { password: PASSWORD, passkey })).status).toBe(200);
  expect((await rest.post("/session/confirm", { password: PASSWORD, passkey })).status).toBe(422);
  const [{ id }] = added.body.passkeys;
  expect((await rest.post("/second-factor", { action: "removePasskey", passkeyId: id })).body).toEqual({
    totp: false,
    recoveryCodesLeft: 0,
    passkeys: [],
  });
});
