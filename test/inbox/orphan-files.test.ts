import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { FileChunk } from "../../models/inbox/file-chunk.ts";
import { openFile, saveFile } from "../../models/inbox/files.ts";
import { Message } from "../../models/inbox/message.ts";
import { StoredFile } from "../../models/inbox/stored-file.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { sweepFiles } from "../../store/inbox/sweep-orphan-files.ts";
import { startWorld, type World } from "../support/world.ts";

const ACROSS = { acrossWorkspaces: true };

let world: World;
let workspaceId: string;
beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId } = await world.workspace());
});
afterAll(() => world.close());

const newFile = () => `att_${randomUUID().replaceAll("-", "").slice(0, 26)}`;
const save = (id: string, content = Buffer.from("content")) =>
  saveFile(workspaceId, id, { fileName: "a.txt", contentType: "text/plain" }, content);

/** Makes these files look as if they had been stored so long ago. */
async function agedBy(ms: number, ...ids: string[]) {
  const aged = { $set: { updatedAt: new Date(Date.now() - ms) } };
  await StoredFile.updateMany({ _id: trusted({ $in: ids }) }, aged, { ...ACROSS, timestamps: false });
  await FileChunk.updateMany({ files_id: trusted({ $in: ids }) }, aged, { ...ACROSS, timestamps: false });
}

async function name(...ids: string[]) {
  const attachments = ids.map((id) => ({ id, fileName: "a.txt", contentType: "text/plain", size: 7, sha256: "" }));
  await scoped(workspaceId).Message.insert({
    _id: newId("msg"),
    mailboxId: "mbx_1",
    contentKey: randomUUID(),
    attachments,
  });
}

async function left(...ids: string[]): Promise<string[]> {
  const { FileChunk, StoredFile } = scoped(workspaceId);
  const stored = async (id: string) =>
    (await StoredFile.count({ _id: id })) + (await FileChunk.count({ files_id: id })) > 0;
  const found = await Promise.all(ids.map(stored));
  return ids.filter((_, index) => found[index]);
}

/** Sweeps once through all files, two at a time, starting from wherever the sweep is. */
async function swept() {
  for (let seen = -1, ends = 0; ends < 2; ends += seen === 0 ? 1 : 0) seen = await sweepFiles(2);
}

test("a day after it was stored, a file that no email names is removed, also if it is empty or half stored", async () => {
  const [orphan, empty, half, other] = [newFile(), newFile(), newFile(), newFile()];
  const [named, beside, fresh] = [newFile(), newFile(), newFile()];
  const all = [orphan, empty, half, other, named, beside, fresh];
  for (const id of all) await save(id, id === empty ? Buffer.alloc(0) : Buffer.alloc(1_500_000, "x"));
  await scoped(workspaceId).StoredFile.deleteOne({ _id: half });
  await name(named, beside);
  await agedBy(DAY_MS + 60_000, ...all.filter((id) => id !== fresh));
  await agedBy(DAY_MS - 60_000, fresh);
  await swept();
  expect(await left(...all)).toEqual([named, beside, fresh]);
  expect(await openFile(workspaceId, beside)).not.toBeNull();
});

test("an old file that a late email stores again is kept for that email", async () => {
  const [again, half] = [newFile(), newFile()];
  for (const id of [again, half]) await save(id);
  await scoped(workspaceId).StoredFile.deleteOne({ _id: half });
  await agedBy(3 * DAY_MS, again, half);
  for (const id of [again, half]) await save(id);
  await swept();
  for (const id of [again, half]) expect(await openFile(workspaceId, id)).not.toBeNull();
});

test("the sweep finds emails by an index, and reads files from an index alone", async () => {
  const ids = trusted({ $in: [newFile()], $gt: "" });
  const mails = await Message.find({ "attachments.id": ids }, null, ACROSS).explain("queryPlanner");
  expect(JSON.stringify(mails)).toContain('"attachments.id_1"');
  const parts = FileChunk.find({ files_id: trusted({ $gt: "" }), n: 0 }, { _id: 0, files_id: 1 }, ACROSS);
  const plan = JSON.stringify(await parts.sort({ files_id: 1 }).limit(2).explain("queryPlanner"));
  expect(plan).toContain("PROJECTION_COVERED");
  expect(plan).not.toContain("FETCH");
});
