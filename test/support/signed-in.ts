import { scryptSync } from "node:crypto";
import { User } from "../../models/sign-in/user.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { newBrowser, type PersonBrowser } from "./person.ts";
import type { Rest } from "./rest.ts";

export const PASSWORD = "correct horse battery";

export interface SignedIn {
  browser: PersonBrowser;
  workspaceId: string;
  userId: string;
  email: string;
  /** The console's own API, in the workspace. */
  rest: Rest;
}

/** The part of a world that these functions need. */
interface Place {
  baseUrl: string;
  workspace(): Promise<{ workspaceId: string; ownerId: string }>;
}

/** The owner of a new workspace, with a password, signed in in their own browser. */
export async function signedIn(world: Place, headers: Record<string, string> = {}): Promise<SignedIn> {
  return signInOwner(world, await world.workspace(), headers);
}

/** Signs in the owner of this workspace, each time in a new browser. */
export async function signInOwner(
  world: Pick<Place, "baseUrl">,
  { workspaceId, ownerId }: { workspaceId: string; ownerId: string },
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const browser = newBrowser(world.baseUrl, headers);
  await browser.open(`/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await browser.submit({ password: PASSWORD });
  const person = await User.findOne({ _id: ownerId }).lean<User>();
  return { browser, workspaceId, userId: ownerId, email: person?.email ?? "", rest: browser.console(workspaceId) };
}

/** The same person with a hash that takes no time to compare, for tests that try many passwords. */
export async function quicklySignedIn(world: Place, headers: Record<string, string> = {}): Promise<SignedIn> {
  const person = await signedIn(world, headers);
  await User.updateOne({ _id: person.userId }, { $set: { passwordHash: QUICK_HASH } });
  return person;
}

const SALT = Buffer.alloc(16, 1);
export const QUICK_HASH = `$scrypt$ln=4,r=8,p=1$${SALT.toString("base64url")}$${scryptSync(PASSWORD, SALT, 32, { N: 2 ** 4, r: 8, p: 1 }).toString("base64url")}`;

/** Someone whom a member of the workspace invited with this role, signed in in their own browser. */
export async function invited(
  world: Pick<Place, "baseUrl">,
  { rest, workspaceId }: SignedIn,
  email: string,
  role: string,
): Promise<SignedIn> {
  const { body } = await rest.post("/invites/manage", { action: "create", email, role });
  const browser = newBrowser(world.baseUrl);
  await browser.open(new URL(body.inviteUrl).pathname);
  await browser.submit({ password: PASSWORD, name: "Somebody" });
  const { userId } = (await browser.console(null).get("/session")).body;
  return { browser, workspaceId, userId, email, rest: browser.console(workspaceId) };
}
