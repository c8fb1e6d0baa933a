import { z } from "zod";
import { Policy } from "../../domain/access/policy.ts";
import { availableOf } from "../../domain/credits.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { User } from "../../models/sign-in/user.ts";
import { hasCredits, readCredits } from "../../store/credits.ts";
import { type Context, PRINCIPAL_KINDS } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";

const kind = z.enum(PRINCIPAL_KINDS).describe("The kind of credential");

const whoami = operation({
  summary: "Describe this credential: its workspace and scopes",
  scope: null,
  input: z.strictObject({}),
  output: z.object({
    workspaceId: z.string().describe("The workspace that the key opens"),
    scopes: z.array(z.string()).describe("The scopes of the key"),
    credentialId: z.string().describe("The id of the key"),
    credentialType: kind,
    name: z.string().describe("The name of the key"),
    policy: Policy.describe("Which effects this credential can cause, and how"),
  }),
  async run({ workspaceId, scopes, credentialId, kind, name, policy }) {
    return { workspaceId, scopes: [...scopes], credentialId, credentialType: kind, name, policy };
  },
});

const get = operation({
  summary: "Describe your account: who made this credential, its workspace, scopes, plan and credits",
  scope: "account:read",
  input: z.strictObject({}),
  output: z.object({
    id: z.string().describe("The id of the person: `usr_…`"),
    email: nullable(z.string()).describe("The address that the person signs in with"),
    name: nullable(z.string()).describe("The name of the person"),
    workspaceId: z.string().describe("The workspace that the credential opens"),
    scopes: z.array(z.string()).describe("The scopes of the credential"),
    credentialType: kind,
    policy: Policy.describe("What the credential may do without approval"),
    plan: nullable(z.string()).describe("The paid plan; null without billing"),
    creditsRemaining: nullable(z.number().int()).describe(
      "Credits left for revealing contact data; null if credits are not counted",
    ),
  }),
  async run({ userId, workspaceId, scopes, kind, policy, services }: Context) {
    const person = await User.findOne({ _id: userId }, { email: 1, name: 1 }).lean<User>();
    const { email = null, name = null } = person ?? {};
    const workspace = await Workspace.findOne({ _id: workspaceId }, { plan: 1 }).lean<Pick<Workspace, "plan">>();
    const plan = workspace?.plan?.id ?? null;
    const { creditsPerMonth } = services.settings;
    const isCounted = await hasCredits(workspaceId, creditsPerMonth);
    const creditsRemaining = isCounted ? availableOf(await readCredits(workspaceId, creditsPerMonth)) : null;
    return {
      id: userId,
      email,
      name,
      workspaceId,
      scopes: [...scopes],
      credentialType: kind,
      policy,
      plan,
      creditsRemaining,
    };
  },
});

export const accountDeclaration = {
  verbs: {
    "account.whoami": whoami,
    "account.get": get,
  },
  routes: [
    ["get", "/whoami", whoami],
    ["get", "/account", get],
  ],
  tools: {
    account: {
      account_get: {
        operation: get,
        title: "Get the account",
        readOnly: true,
        when: "Who made this credential, its workspace, its scopes, and its `policy`: how it may send (DIRECT, PLAN, APPROVAL or NONE), with its daily budget.",
      },
    },
  },
} as const satisfies Declaration;
