import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ApiKey } from "../../models/access/api-key.ts";
import { Membership } from "../../models/access/membership.ts";
import { SignUpRequest } from "../../models/sign-in/sign-up-request.ts";
import { User } from "../../models/sign-in/user.ts";
import { hashOf, newSecret } from "../../operations/access/secrets.ts";
import { newBrowser } from "../support/person.ts";
import { invited, PASSWORD, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { hasSystemMail: true, allowSignUp: true } });
});
afterAll(() => world.close());

const REFUSED = { status: 403, body: { code: "ADDRESS_NOT_CONFIRMED" } };
/** A call that sends: if it may, it fails only because there is no such mailbox. */
const sends = ({ rest }: Pick<SignedIn, "rest">) =>
  rest.post("/warmup/manage", { action: "start", mailboxId: "mbx_none" });
const mayNot = ({ userId }: SignedIn) => User.updateOne({ _id: userId }, { $set: { isUnconfirmed: true } });
const isUnconfirmed = async (userId: string) => (await User.findOne({ _id: userId }).lean<User>())?.isUnconfirmed;

async function unconfirmed(): Promise<SignedIn> {
  const person = await signedIn(world);
  await mayNot(person);
  return person;
}

/** The path of the link that confirms this address. */
async function linkTo(email: string): Promise<string> {
  const { value, hash } = newSecret();
  const request = { _id: hash, email, workspaceName: email, cid: null, expiresAt: new Date(Date.now() + 60_000) };
  await SignUpRequest.insertMany([request]);
  expect(hashOf(value)).toBe(hash);
  return `/signup/${value}`;
}

test("one owner with a confirmed address is enough, and who made the workspace does not matter (rules/access 2.7)", async () => {
  const founder = await unconfirmed();
  expect(await sends(founder)).toMatchObject(REFUSED);
  const other = await signedIn(world);
  await Membership.insertMany([
    { _id: `mbr_${founder.userId.slice(4)}`, workspaceId: founder.workspaceId, userId: other.userId, role: "ADMIN" },
  ]);
  expect(await sends(founder)).toMatchObject(REFUSED);
  const membership = { workspaceId: founder.workspaceId, userId: other.userId };
  await Membership.updateOne(membership, { $set: { role: "OWNER" } });
  expect((await sends(founder)).body.code).toBe("MAILBOX_NOT_FOUND");
});

test("neither an invite nor a client workspace leads around the confirmation (rules/access 2.7)", async () => {
  const founder = await unconfirmed();
  const second = await invited(world, founder, "second@people.test", "ADMIN");
  const third = await invited(world, second, "third@people.test", "MEMBER");
  expect([await isUnconfirmed(second.userId), await isUnconfirmed(third.userId)]).toEqual([true, true]);
  expect(await second.rest.post("/workspaces", { name: "Around" })).toMatchObject(REFUSED);

  const agency = await signedIn(world);
  expect(await isUnconfirmed((await invited(world, agency, "known@people.test", "ADMIN")).userId)).toBe(false);
  const { body: client } = await agency.rest.post("/workspaces", { name: "Client" });
  const inClient = { rest: agency.browser.console(client.id) };
  expect((await sends(inClient)).body.code).toBe("MAILBOX_NOT_FOUND");
  // The client has an owner of its own with a confirmed address
  const owner = await signedIn(world);
  await Membership.updateOne({ workspaceId: client.id }, { $set: { userId: owner.userId } });
  await mayNot(agency);
  expect(await sends({ rest: owner.browser.console(client.id) })).toMatchObject(REFUSED);
});

test("a person who confirms an address takes the account over from a stranger who made it (rules/access 2.7)", async () => {
  const stranger = await unconfirmed();
  await stranger.rest.post("/api-keys/manage", { action: "create", name: "Kept", scopes: ["leads:read"] });
  const keys = () => ApiKey.countDocuments({ createdBy: stranger.userId, revokedAt: null });
  expect(await keys()).toBeGreaterThan(0);
  const passkeys = [{ id: "a", publicKey: "b", counter: 0, transports: [], name: "c", createdAt: new Date() }];
  await User.updateOne({ _id: stranger.userId }, { $set: { passkeys } });
  const [path, later] = [await linkTo(stranger.email), await linkTo(stranger.email)];
  const kim = newBrowser(world.baseUrl);
  expect(await kim.open(path)).toContain("Choose a new password");
  expect(await kim.submit({ password: "" })).toContain("password");
  expect(await isUnconfirmed(stranger.userId)).toBe(true);
  expect(await kim.submit({ password: "another horse battery" })).toContain("Your address is confirmed");
  expect((await stranger.rest.get("/session")).status).toBe(401);
  expect(await keys()).toBe(0);
  const login = async (password: string) => {
    const browser = newBrowser(world.baseUrl);
    await browser.open("/login");
    await browser.submit({ email: stranger.email, password });
    return browser.console(stranger.workspaceId);
  };
  expect((await (await login(PASSWORD)).get("/session")).status).toBe(401);
  const own = await login("another horse battery");
  expect((await own.get("/session")).body).toMatchObject({ mustConfirmAddress: false, hasSecondFactor: false });
  const actions = (await own.get("/audit-log?action=account.")).body.items.map(
    ({ action }: { action: string }) => action,
  );
  expect(actions).toEqual(
    expect.arrayContaining(["account.confirmAddress", "account.setPassword", "account.removeSecondFactor"]),
  );
  // A second link does not offer to make an account
  expect(await newBrowser(world.baseUrl).open(later)).toContain("This address already has an account");
});

test("a person who is signed in confirms the address and keeps everything (rules/access 2.7)", async () => {
  const person = await unconfirmed();
  expect(await person.browser.open(await linkTo(person.email))).not.toContain("Choose a new password");
  expect(await person.browser.submit({})).toContain("Your address is confirmed");
  expect((await person.rest.get("/session")).body.mustConfirmAddress).toBe(false);
});
