import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { keyRing, seal } from "../../domain/access/seal.ts";
import { SigningKey } from "../../models/access/signing-key.ts";
import { scoped } from "../../models/scoped.ts";
import { loadAddressHash, loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { claim } from "../../store/sending/claim.ts";
import { erasedAddressOf } from "../../store/suppression/guard-id.ts";
import { loadGuardReasons, suppressAddress } from "../../store/suppression/suppress.ts";
import { noteAnswer, noteVerifiedBounce } from "../../store/verification/known-answers.ts";
import { claimingIn } from "../sending/claiming.ts";
import { startWorld, type World } from "../support/world.ts";
import { documentsNaming, dumpDatabase, plainHashesOf } from "./database-dump.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const sha256 = (email: string) => createHash("sha256").update(email).digest("hex");
const someone = () => `planted-${randomUUID()}@people.test`;

test("after a lead is deleted, the database has its address only as a keyed hash, and a later import of it gets no email", async () => {
  const { rest, workspaceId } = await world.workspace();
  const email = someone();
  const claiming = await claimingIn(workspaceId);
  const campaignId = await claiming.activeCampaign();
  const { body: lead } = await rest.post("/leads", { email });
  const { Lead, Recipient, Send } = scoped(workspaceId);
  const before = await claiming.bookedSend(campaignId, email);
  await Recipient.updateOne({ _id: before.recipientId ?? "" }, { $set: { leadId: lead.id } });
  await noteAnswer(email, { result: "VALID", reason: "ACCEPTED", smtpCode: 250, enhancedCode: null, at: Date.now() });
  await Lead.updateOne({ _id: lead.id }, { $set: { verificationStatus: "VALID" } });
  await noteVerifiedBounce(workspaceId, lead.id);
  await rest.post("/leads/suppress", { action: "suppress", ids: [lead.id] });
  await rest.post("/leads/manage", { action: "delete", leadId: lead.id });

  const mark = erasedAddressOf(workspaceId, email);
  expect(mark).toMatch(/^erased:[\w-]{43}$/);
  expect(await Recipient.get(before.recipientId ?? "")).toMatchObject({
    email: expect.stringMatching(new RegExp(`^${mark}(?::|$)`)),
    addressHash: null,
  });
  expect(await Send.get(before._id)).toMatchObject({ to: mark });
  const dump = await dumpDatabase();
  expect(documentsNaming(dump, [mark.slice("erased:".length)]).length).toBeGreaterThanOrEqual(3);
  expect(documentsNaming(dump, [email, ...plainHashesOf(email)])).toEqual([]);

  const rows = [{ email: email.toUpperCase() }];
  expect((await rest.post("/leads/import", { action: "commit", rows })).body).toMatchObject({
    created: 1,
    suppressed: 1,
  });
  const send = await claiming.bookedSend(campaignId, email);
  expect(await claim(claiming.claimFor(send, campaignId, randomUUID()))).toMatchObject({
    kind: "stopped",
    by: "guard",
    reasons: ["MANUAL"],
  });
});

test("a suppressed address that is in no other record cannot be found in the database by anyone without the key", async () => {
  const [one, other] = [await world.workspace(), await world.workspace()];
  const email = someone();
  for (const { workspaceId } of [one, other]) await suppressAddress(workspaceId, email, "UNSUBSCRIBED");
  const dump = await dumpDatabase();
  expect(documentsNaming(dump, [email, ...plainHashesOf(email)])).toEqual([]);
  // Two workspaces with the same address have unlike hashes
  const [first, second] = [one, other].map(({ workspaceId }) => erasedAddressOf(workspaceId, email));
  expect(first).not.toBe(second);
});

test("the mark that an earlier version left for an erased address leads to the same guard, so an old unsubscribe link still suppresses the person", async () => {
  const { workspaceId } = await world.workspace();
  const email = someone();
  await suppressAddress(workspaceId, `erased:${sha256(email)}`, "UNSUBSCRIBED");
  expect(await loadGuardReasons(workspaceId, [email])).toEqual(new Map([[email, ["UNSUBSCRIBED"]]]));
  expect(erasedAddressOf(workspaceId, `erased:${sha256(email)}`)).toBe(erasedAddressOf(workspaceId, email));
});

test("a newer key for addresses loses no suppression, and new ones still use the first key", async () => {
  const { workspaceId } = await world.workspace();
  const [before, after] = [someone(), someone()];
  await suppressAddress(workspaceId, before, "UNSUBSCRIBED");
  const { keyRing: ring } = world.services;
  const place = { workspaceId: "installation", collection: "signing_keys", documentId: "address-2", field: "sealed" };
  const sealed = seal(ring, place, randomBytes(32).toString("base64"));
  await SigningKey.create({ _id: "address-2", purpose: "address", kid: "second", sealed });
  try {
    expect((await loadSigningKeys(ring)).address.map(({ kid }) => kid)).toEqual(["second", expect.any(String)]);
    await suppressAddress(workspaceId, after, "UNSUBSCRIBED");
    expect((await loadGuardReasons(workspaceId, [before, after])).size).toBe(2);
  } finally {
    await SigningKey.deleteOne({ _id: "address-2" });
  }
  await loadSigningKeys(ring);
  expect((await loadGuardReasons(workspaceId, [before, after])).size).toBe(2);
});

test("a process with another SECRET_KEY does not create the key for addresses", async () => {
  const address = await SigningKey.findOne({ _id: "address-1" }).lean<SigningKey>();
  await SigningKey.deleteOne({ _id: "address-1" });
  try {
    const another = keyRing(randomBytes(32).toString("base64"), []);
    await expect(loadAddressHash(another)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    expect(await SigningKey.countDocuments({ purpose: "address" })).toBe(0);
  } finally {
    await SigningKey.collection.insertOne(address as never); // as it was read
  }
});

test("no process starts with a new key for addresses when the key of the stored suppressions is missing", async () => {
  const { workspaceId } = await world.workspace();
  await suppressAddress(workspaceId, someone(), "UNSUBSCRIBED");
  const address = await SigningKey.findOne({ _id: "address-1" }).lean<SigningKey>();
  await SigningKey.deleteOne({ _id: "address-1" });
  try {
    await expect(loadSigningKeys(world.services.keyRing)).rejects.toThrow(/restore the collection signing_keys/);
    expect(await SigningKey.countDocuments({ purpose: "address" })).toBe(0);
  } finally {
    await SigningKey.collection.insertOne(address as never); // as it was read
  }
});
