import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { User } from "../../models/sign-in/user.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { findMemberships } from "../access/members.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import { name, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { addPasskey, askPasskey, offerPasskey } from "./passkeys.ts";
import { loadPerson } from "./people.ts";
import { confirmTotp, newTotp, renewRecoveryCodes, sealTotp } from "./second-factor.ts";
import { refuseBeyondPortal, sessionOf } from "./session-verbs.ts";

const SecondFactor = z.object({
  totp: z.boolean().describe("Whether an authenticator app is set up"),
  recoveryCodesLeft: z.number().int().describe("How many recovery codes are left; each works once"),
  passkeys: z
    .array(
      z.object({
        id: z.string().describe("The id of the passkey"),
        name: z.string().describe("The name that the person gave it"),
        createdAt: time.describe("When it was added"),
      }),
    )
    .describe("The passkeys, oldest first"),
});
const recoveryCodes = z
  .array(z.string())
  .describe("Ten new codes that replace all earlier ones; each works once; shown only now");
const options = z
  .record(z.string(), z.unknown())
  .describe("The options for the browser's `navigator.credentials`, with bytes in base64url");

const nothing = z.strictObject({});
const scope = null;

export const get = operation({
  summary: "Show your second factors",
  scope,
  input: nothing,
  output: SecondFactor,
  run: describe,
});

const offerTotp = operation({
  summary: "Get a secret for an authenticator app. It takes effect when `confirmTotp` gets a code from the app",
  scope,
  stepUp: true,
  showsOnce: ["secret", "uri"],
  input: nothing,
  output: z.object({
    secret: z.string().describe("The secret in base32, to type into an app"),
    uri: z.string().describe("The secret as an `otpauth:` URL, for a QR code"),
  }),
  async run(ctx) {
    const person = await personOf(ctx);
    const { secret, uri } = newTotp(person.email, new URL(ctx.services.settings.publicUrl).hostname);
    await User.updateOne(
      { _id: person._id },
      { $set: { totpOffered: sealTotp(ctx.services.keyRing, person._id, secret) } },
    );
    return { secret, uri };
  },
});

const confirm = operation({
  summary: "Activate the offered secret with its first code. Returns ten recovery codes",
  scope,
  errors: ["WRONG_CODE"],
  stepUp: true,
  checksSecret: true,
  showsOnce: ["recoveryCodes"],
  input: z.strictObject({ code: z.string().max(40).describe("The code that the app shows now") }),
  output: SecondFactor.extend({ recoveryCodes }),
  run: (ctx, { code }) =>
    changing(ctx, "account.addSecondFactor", async (person) => {
      if (!(await confirmTotp(ctx.services.keyRing, person, code, new Date())))
        throw new AppError("WRONG_CODE", "The code is not right");
      return { recoveryCodes: await renewRecoveryCodes(person._id) };
    }),
});

const removeTotp = operation({
  summary: "Stop asking for codes of the authenticator app",
  scope,
  stepUp: true,
  input: nothing,
  output: SecondFactor,
  run: (ctx) =>
    changing(ctx, "account.removeSecondFactor", async ({ _id, passkeys }) => {
      const codes = passkeys.length === 0 ? { recoveryCodes: [] } : {};
      await User.updateOne({ _id }, { $set: { totp: null, totpOffered: null, ...codes } }, sessionOption());
      return {};
    }),
});

const renewCodes = operation({
  summary: "Get ten new recovery codes, which replace all earlier ones",
  scope,
  stepUp: true,
  showsOnce: ["recoveryCodes"],
  input: nothing,
  output: SecondFactor.extend({ recoveryCodes }),
  run: (ctx) =>
    changing(ctx, "account.renewRecoveryCodes", async ({ _id }) => ({ recoveryCodes: await renewRecoveryCodes(_id) })),
});

const offer = operation({
  summary: "Get the options for a browser to create a passkey",
  scope,
  errors: ["LIMIT_EXCEEDED"],
  stepUp: true,
  input: nothing,
  output: z.object({ options }),
  async run(ctx) {
    const made = await offerPasskey(ctx.services.settings.publicUrl, sessionOf(ctx), await personOf(ctx));
    return { options: { ...made } };
  },
});

const add = operation({
  summary: "Add the passkey that the browser created. Your first second factor comes with ten recovery codes",
  scope,
  errors: ["WRONG_CODE"],
  stepUp: true,
  checksSecret: true,
  showsOnce: ["recoveryCodes"],
  input: z.strictObject({
    name: name.describe("The name, such as the device"),
    passkey: z.record(z.string(), z.unknown()).describe("The response of the browser"),
  }),
  output: SecondFactor.extend({ recoveryCodes: recoveryCodes.nullable() }),
  run: (ctx, { name, passkey }) =>
    changing(ctx, "account.addSecondFactor", async (person) => {
      await addPasskey(ctx.services.settings.publicUrl, sessionOf(ctx), person, name, passkey);
      return { recoveryCodes: person.recoveryCodes.length === 0 ? await renewRecoveryCodes(person._id) : null };
    }),
});

const removePasskey = operation({
  summary: "Remove a passkey",
  scope,
  stepUp: true,
  input: z.strictObject({ passkeyId: z.string().max(1_400).describe("The id of the passkey") }),
  output: SecondFactor,
  run: (ctx, { passkeyId }) =>
    changing(ctx, "account.removeSecondFactor", async ({ _id, totp, passkeys }) => {
      const left = passkeys.filter(({ id }) => id !== passkeyId);
      const codes = left.length === 0 && totp === null ? { recoveryCodes: [] } : {};
      await User.updateOne({ _id }, { $set: { passkeys: left, ...codes } }, sessionOption());
      return {};
    }),
});

const ask = operation({
  summary: "Get the options for a browser to prove a passkey, for `POST /session/confirm`",
  scope,
  input: nothing,
  output: z.object({ options }),
  async run(ctx) {
    const asked = await askPasskey(ctx.services.settings.publicUrl, sessionOf(ctx), await personOf(ctx));
    return { options: { ...asked } };
  },
});

export const manage = choice(
  "account:read",
  "Set up or remove a second factor: an authenticator app, recovery codes, passkeys",
  {
    offerTotp,
    confirmTotp: confirm,
    removeTotp,
    renewRecoveryCodes: renewCodes,
    offerPasskey: offer,
    addPasskey: add,
    removePasskey,
    askPasskey: ask,
  },
);

async function personOf(ctx: Context): Promise<User> {
  return loadPerson(sessionOf(ctx).userId);
}

/** Changes the person and records it in the audit log of each of their workspaces, in one transaction. */
async function changing<T extends object>(ctx: Context, action: string, change: (person: User) => Promise<T>) {
  const session = sessionOf(ctx);
  const { userId } = session;
  await refuseBeyondPortal(session);
  const memberships = await findMemberships(userId, null);
  const made = await inTransaction(async () => {
    const answer = await change(await loadPerson(userId));
    for (const { workspaceId } of memberships) {
      const deed = { workspaceId, actor: { kind: "CONSOLE" as const, id: userId }, action, input: { userId } };
      await appendAuditEntry({ ...deed, ip: ctx.ip, traceId: ctx.traceId }, "DONE", null);
    }
    return answer;
  });
  return { ...(await describe(ctx)), ...made };
}

async function describe(ctx: Context): Promise<z.input<typeof SecondFactor>> {
  const { totp, recoveryCodes, passkeys } = await personOf(ctx);
  const shown = passkeys.map(({ id, name, createdAt }) => ({ id, name, createdAt }));
  return { totp: totp !== null, recoveryCodesLeft: recoveryCodes.length, passkeys: shown };
}
