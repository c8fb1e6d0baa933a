import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { signUndo } from "../../domain/access/address-token.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import type { FakeOAuth } from "../fakes/oauth.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import type { World } from "../support/world.ts";
import { APP_PASSWORD, browse, type ConsentWorld, EMAIL, startConsentWorld } from "./consent-world.ts";

let consents: ConsentWorld;
let world: World;
let oauth: FakeOAuth;

beforeAll(async () => {
  consents = await startConsentWorld();
  ({ world, oauth } = consents);
}, 90_000);
afterAll(() => consents.close(), 30_000);
beforeEach(async () => {
  await Mailbox.deleteMany({}, { acrossWorkspaces: true });
});

/** The page that a browser shows at the end of a consent, and the address that its form posts to. */
async function consented(rest: Rest, provider: "A" | "B" = "B") {
  const page = await browse(oauth.consent(await consents.started(rest, provider), EMAIL));
  expect(page.status).toBe(200);
  const [, action = ""] = /<form method="post" action="(\/connect\/undo\/[^"]+)">/.exec(page.text) ?? [];
  return { page, undo: `${world.baseUrl}${action}` };
}

async function connected(name = "Sales") {
  const { rest, workspaceId } = await world.workspace();
  await Workspace.updateOne({ _id: workspaceId }, { $set: { name } });
  const { page, undo } = await consented(rest);
  const [{ id }] = (await rest.get("/mailboxes")).body;
  return { rest, workspaceId, page, undo, id, shown: async () => (await rest.get(`/mailboxes/${id}`)).body };
}

async function erased(workspaceId: string) {
  const none = async () => (await scoped(workspaceId).MailboxGrant.count()) === 0;
  await until(none, { deadlineMs: 20_000, what: "the consent to be erased" });
}

const deedsOf = (workspaceId: string) => scoped(workspaceId).AuditEntry.find({ action: "mailboxes.undoConsent" });
const NO_LONGER = { status: 404, text: expect.stringContaining("not valid any more") };

test("after a consent the result page names the workspace and the mailbox, and one button disconnects the mailbox again", async () => {
  const { rest, workspaceId, page, undo, id, shown } = await connected();
  for (const named of [EMAIL, "Sales"]) expect(page.text).toContain(named);
  expect(page.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='$/,
  );
  const before = oauth.takenBack.length;
  expect(await browse(undo, "POST")).toMatchObject({ status: 200, text: expect.stringContaining(EMAIL) });
  expect(await shown()).toMatchObject({ id, email: EMAIL, status: "DISCONNECTED" });
  expect(await scoped(workspaceId).Mailbox.get(id)).toMatchObject({ sealedPassword: null, grantId: null });
  await erased(workspaceId);
  expect(oauth.takenBack.slice(before)).toEqual([{ token: expect.stringMatching(/^refresh-/), hint: "refresh_token" }]);
  const entries = await deedsOf(workspaceId);
  expect(entries).toMatchObject([
    {
      outcome: "DONE",
      actor: { kind: "CONSENT" },
      target: { mailboxId: id },
      changed: expect.arrayContaining(["status"]),
    },
  ]);
  expect((await verifyChain(workspaceId)).brokenAt).toBeNull();
  expect((await rest.get("/mailboxes")).body).toHaveLength(1);
});

test("opening the undo address of a consent, however often, changes nothing and sets no cookie", async () => {
  const { undo, page, shown, workspaceId } = await connected();
  for (const method of ["GET", "HEAD", "GET"] as const) {
    const { status, headers, text } = await browse(undo, method);
    expect([status, headers.get("set-cookie"), headers.get("cache-control"), headers.get("referrer-policy")]).toEqual([
      200,
      null,
      "no-store",
      "no-referrer",
    ]);
    expect(headers.get("content-security-policy")).toContain("form-action 'self'");
    if (method === "GET") for (const named of [EMAIL, "Sales", '<form method="post">']) expect(text).toContain(named);
  }
  expect(page.headers.get("set-cookie")).toBeNull();
  expect(await shown()).toMatchObject({ status: "CONNECTED" });
  expect(await deedsOf(workspaceId)).toEqual([]);
  const put = await fetch(undo, { method: "PUT" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
});

test("the undo button of a consent works once, even when pressed several times together, and not after the mailbox was connected again", async () => {
  const { rest, workspaceId, undo, shown } = await connected();
  const presses = await Promise.all([1, 2, 3, 4].map(() => browse(undo, "POST")));
  expect(presses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  expect(await deedsOf(workspaceId)).toHaveLength(1);
  await erased(workspaceId);
  await consented(rest);
  for (const method of ["GET", "POST"] as const) expect(await browse(undo, method)).toMatchObject(NO_LONGER);
  expect(await shown()).toMatchObject({ status: "CONNECTED" });
});

test("the undo page of a consent no longer works once the mailbox was connected in another way", async () => {
  const { rest, undo, shown, workspaceId } = await connected();
  const answer = await rest.post("/mailboxes/connect", {
    action: "providerAAppPassword",
    providerA: { email: EMAIL, appPassword: APP_PASSWORD },
  });
  expect(answer.status).toBe(200);
  for (const method of ["GET", "POST"] as const) expect(await browse(undo, method)).toMatchObject(NO_LONGER);
  expect(await shown()).toMatchObject({ status: "CONNECTED", provider: "PROVIDERA" });
  expect(await deedsOf(workspaceId)).toEqual([]);
});

test("undoing a consent makes a previously connected mailbox RECONNECT_REQUIRED, and a previously disconnected one DISCONNECTED", async () => {
  const { rest, workspaceId, id, shown } = await connected();
  const { undo } = await consented(rest);
  expect((await browse(undo, "POST")).status).toBe(200);
  expect(await shown()).toMatchObject({ id, status: "RECONNECT_REQUIRED", statusReason: "TOKEN_REVOKED" });
  expect(await scoped(workspaceId).Mailbox.get(id)).toMatchObject({ sealedPassword: null, grantId: null });
  await erased(workspaceId);
  await rest.post(`/mailboxes/${id}/disconnect`, {});
  const again = await consented(rest);
  expect((await browse(again.undo, "POST")).status).toBe(200);
  expect(await shown()).toMatchObject({ id, status: "DISCONNECTED" });
});

test("an undo address that has expired, has a wrong signature or belongs to another consent changes nothing", async () => {
  const { undo, shown, workspaceId } = await connected();
  const [state] = await scoped(workspaceId).OAuthState.find();
  const keys = world.services.signing;
  const names = { workspaceId, consentId: state?._id ?? "", until: Date.now() + 60_000 };
  const tokens = [
    signUndo(keys.undo, { ...names, until: Date.now() - 1 }),
    signUndo(keys.undo, { ...names, consentId: "0".repeat(64) }),
    signUndo(keys.undo, { ...names, workspaceId: (await world.workspace()).workspaceId }),
    signUndo(keys.export, names),
    `${undo.split("/").at(-1)}x`,
    "x",
  ];
  for (const token of tokens)
    expect(await browse(`${world.baseUrl}/connect/undo/${token}`, "POST")).toMatchObject(NO_LONGER);
  expect(await shown()).toMatchObject({ status: "CONNECTED" });
  const { until: end } = JSON.parse(
    Buffer.from(undo.split("/undo/").at(-1)?.split(".")[2] ?? "", "base64url").toString(),
  );
  expect(Math.round((end - Date.now()) / HOUR_MS)).toBe(24);
});

test("the undo page shows the workspace name as escaped text, whatever characters the name contains", async () => {
  const { page, undo } = await connected(`<script>"'&`);
  for (const { text } of [page, await browse(undo)]) {
    expect(text).not.toContain("<script");
    expect(text).toContain("&#60;script&#62;&#34;&#39;&#38;");
  }
});
