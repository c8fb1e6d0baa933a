import { EXPORT_FILE, lineOf } from "../../domain/evidence/export-lines.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { Membership } from "../../models/access/membership.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { type CollectionShape, describeCollections, scoped, type Workspaced } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { openFieldsOf } from "../../mongo/schema.ts";

/**
 * Where an export continues: after the document `after` of this collection, or at the start of the collection when
 * `after` is empty.
 */
export interface ExportPlace {
  collection: string;
  after: string;
}

export const EXPORT_START: ExportPlace = { collection: "", after: "" };

export interface ExportPart {
  text: string;
  /** Documents by collection. */
  counts: Record<string, number>;
  /** Null at the end. */
  next: ExportPlace | null;
}

/**
 * Collections that are not exported because they contain only the state of work in progress and no data of the
 * workspace, each with the reason (rules/evidence 1.2).
 */
const LEFT_OUT: Partial<Record<keyof Workspaced, string>> = {
  ConnectionBatch: "credentials that are being tested, kept for ten minutes",
  ConnectionTest: "credentials that are being tested, kept for ten minutes",
  OAuthState: "a consent in progress",
  CrmConsent: "a consent in progress",
  MailboxGrant: "tokens of a provider",
  IdempotencyKey: "answers of the last day",
  JobChunk: "rows of running jobs, which may contain passwords",
  OutboxRow: "commands that are not executed yet",
  Gate: "locks",
  CampaignCounter: "numbers that are counted from the records",
  ThrottleCount: "counts of the last minutes",
  PlanCommit: "which plans were carried out",
  MailboxCursor: "how far folders were read",
  DueCopy: "copies of sent emails that are not saved to Sent yet",
  SentFolderCheck: "Sent folders that must be checked after a restore",
};
/**
 * The time limit for one part in milliseconds. It is long, because a collection that many workspaces share may contain
 * many documents to skip.
 */
const LONGEST_MS = 5 * MINUTE_MS;
const BATCH = 200;

/** Reads documents from a place on, collection by collection and by id, until the text has this many characters. */
export async function readExportPart(workspaceId: string, place: ExportPlace, characters: number): Promise<ExportPart> {
  const lines: string[] = [];
  const counts: Record<string, number> = {};
  let length = 0;
  const take = (collection: string, document: object) => {
    const line = lineOf(collection, document);
    lines.push(line);
    length += line.length;
    counts[collection] = (counts[collection] ?? 0) + 1;
  };
  if (place.collection === "")
    for (const { collection, document } of await loadOfInstallation(workspaceId)) take(collection, document);
  for (const shape of SHAPES.filter(({ collection }) => collection >= place.collection)) {
    const after = shape.collection === place.collection ? place.after : "";
    for await (const document of documentsAfter(workspaceId, shape, after)) {
      take(shape.collection, document);
      if (length >= characters)
        return { text: lines.join(""), counts, next: { collection: shape.collection, after: document._id } };
    }
  }
  return { text: lines.join(""), counts, next: null };
}

const SHAPES = describeCollections().filter(({ model }) => LEFT_OUT[model] === undefined);

function documentsAfter(
  workspaceId: string,
  { model, fields, idIndex }: CollectionShape,
  after: string,
): AsyncIterable<{ _id: string }> {
  const match = { _id: { $gt: after, $not: { $gte: EXPORT_FILE, $lt: `${EXPORT_FILE}~` } } };
  const stages = [{ $sort: { _id: 1 as const } }, { $project: only(fields) }];
  return scoped(workspaceId)[model].walk<{ _id: string }>(match, stages, LONGEST_MS, {
    hint: idIndex,
    batchSize: BATCH,
  });
}

/**
 * The workspace's documents in collections of the whole deployment: the workspace itself, its members and its API keys.
 */
async function loadOfInstallation(workspaceId: string): Promise<{ collection: string; document: object }[]> {
  const [workspace, members, keys] = await Promise.all([
    Workspace.findOne({ _id: workspaceId }, only(openFieldsOf(Workspace))).lean<object>(),
    Membership.find({ workspaceId }, only(openFieldsOf(Membership))).lean<Membership[]>(),
    ApiKey.find({ workspaceId }, only(openFieldsOf(ApiKey))).lean<object[]>(),
  ]);
  const people = await User.find(
    { _id: trusted({ $in: members.map(({ userId }) => userId) }) },
    { email: 1, name: 1 },
  ).lean<object[]>();
  const exportRows = (collection: string, documents: readonly object[]) =>
    documents.map((document) => ({ collection, document }));
  return [
    ...exportRows("workspaces", workspace === null ? [] : [workspace]),
    ...exportRows("memberships", members),
    ...exportRows("users", people),
    ...exportRows("api_keys", keys),
  ];
}

function only(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}
