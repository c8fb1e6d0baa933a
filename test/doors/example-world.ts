import type { examples } from "../../api/examples.ts";
import { seal } from "../../domain/access/seal.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Membership } from "../../models/access/membership.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { ensureUser } from "../../operations/access/workspaces.ts";
import { EXAMPLE_IDS } from "../../operations/described-ids.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

export type Example = (typeof examples)[number];
/** The real ids, by the ids that stand for them in the examples. */
export type Ids = Readonly<Record<string, string>>;

/** A workspace in which the reference's examples can be run in order. There is no Temporal and no provider. */
export async function startExamples() {
  return examplesIn(await startWorld());
}

/** The same in an existing world. */
export async function examplesIn(world: World) {
  const workspace = await world.workspace();
  const { rest, workspaceId } = workspace;
  /** The workspace's own id for each id in the examples. */
  const own = new Map<string, string>();
  const server = { host: "smtp.example.com", port: 465, security: "SSL_TLS" as const };
  const mailbox = {
    _id: newId("mbx"),
    email: "ann@example.com",
    username: "ann@example.com",
    smtp: server,
    imap: server,
  };
  await scoped(workspace.workspaceId).Mailbox.insert(mailbox);
  own.set(EXAMPLE_IDS.mailboxId, mailbox._id);
  const seed = { ...mailbox, _id: newId("mbx"), email: "seed@example.net", username: "seed@example.net" };
  const place = {
    workspaceId: workspace.workspaceId,
    collection: "mailboxes",
    documentId: seed._id,
    field: "password",
  };
  await scoped(workspace.workspaceId).Mailbox.insert({
    ...seed,
    sealedPassword: seal(world.services.keyRing, place, "an app password"),
  });
  own.set(EXAMPLE_IDS.testMailboxId, seed._id);
  const crm = {
    _id: newId("crm"),
    provider: "PIPEDRIVE",
    accountId: "1",
    accountName: "Acme",
    base: "https://acme.test",
  } as const;
  const told = {
    writeBack: { activities: false, doNotContact: false },
    toldFrom: { activities: null, doNotContact: null },
  };
  const apiPlace = {
    workspaceId: workspace.workspaceId,
    collection: "crm_connections",
    documentId: crm._id,
    field: "apiToken",
  };
  const sealedApiToken = seal(world.services.keyRing, apiPlace, "an API token");
  await scoped(workspace.workspaceId).CrmConnection.insert({
    ...crm,
    ...told,
    sealedApiToken,
    connectedAt: new Date(),
  });
  own.set(EXAMPLE_IDS.connectionId, crm._id);
  const { Message, Thread } = scoped(workspace.workspaceId);
  const thread = { _id: newId("thr"), mailboxId: mailbox._id, subject: "Widgets", lastMessageAt: new Date() };
  const written = { direction: "INBOUND", kind: "REPLY", from: "dan@people.example", receivedAt: new Date() } as const;
  const message = {
    _id: newId("msg"),
    mailboxId: mailbox._id,
    threadId: thread._id,
    contentKey: "example",
    ...written,
  };
  const approval = { _id: newId("apr"), kind: "OPT_OUT", expiresAt: new Date(Date.now() + DAY_MS) } as const;
  await scoped(workspace.workspaceId).Approval.insert(approval);
  own.set(EXAMPLE_IDS.approvalId, approval._id);
  const promise = {
    _id: newId("prm"),
    kind: "REFERRAL",
    sentence: "Please ask Eva.",
    address: "eva@people.example",
  } as const;
  await scoped(workspace.workspaceId).ReplyPromise.insert({ ...promise, threadId: thread._id, messageId: message._id });
  own.set(EXAMPLE_IDS.promiseId, promise._id);
  await Thread.insert(thread);
  await Message.insert(message);
  const colleague = {
    _id: newId("mbr"),
    userId: await ensureUser("lee@acme.example"),
    role: "VIEWER",
    joinedAt: new Date(),
  };
  await Membership.insertMany([{ workspaceId: workspace.workspaceId, ...colleague }]);
  own.set(EXAMPLE_IDS.memberId, colleague._id);
  own.set(EXAMPLE_IDS.threadId, thread._id).set(EXAMPLE_IDS.messageId, message._id);

  return {
    world,
    workspace,
    mailboxId: mailbox._id,
    /** Sends an example as this credential would, with the workspace's own ids, or others of these. */
    send({ at, body }: Example, by: Rest, others: Ids = {}): Promise<RestAnswer> {
      const ids = new Map([...own, ...Object.entries(others)]);
      const named = at.replaceAll(/:(\w+Id)/g, (_, field) => sampleAt(at, field));
      const [method = "", path = ""] = withOwnIds(named, ids).split(" ");
      return asked(by, method, path, JSON.parse(withOwnIds(JSON.stringify(body), ids)));
    },
    /** The fields of an example, those of its path among them, with the workspace's own ids, or others of these. */
    fieldsOf({ at, body }: Example, others: Ids = {}): Record<string, unknown> {
      const ids = new Map([...own, ...Object.entries(others)]);
      const inPath = [...at.matchAll(/:(\w+Id)/g)].map(([, field = ""]) => [field, sampleAt(at, field)]);
      return JSON.parse(withOwnIds(JSON.stringify({ ...Object.fromEntries(inPath), ...body }), ids));
    },
    /** The workspace's own ids, by the field that takes each and by the prefix of its kind. */
    knownIds(): Ids {
      const named = Object.entries(EXAMPLE_IDS).flatMap(([field, example]) => {
        const id = own.get(example);
        return id === undefined
          ? []
          : [
              [field, id],
              [id.split("_")[0] ?? "", id],
            ];
      });
      return Object.fromEntries(named);
    },
    learn: (at: string, answer: RestAnswer) => learn({ rest, workspaceId, own }, at, answer),
  };
}

/** This world has no Temporal and no provider: examples that need one of them get a response that says so. */
const AWAITS = ["smtpTest", "smtpConnect", "providerAAppPassword", "providerAOAuthStart", "googleSheet"];
const AWAITING = [
  "post /mailboxes/import/test-bulk",
  "post /mailboxes/import/csv",
  "post /leads/import/file",
  ...[
    "post /lead-search/browse",
    "post /lead-search/companies",
    "post /lead-search/reveal",
    "post /lead-search/reveal/bulk",
  ],
  ...[
    "post /lead-search/reveal/list",
    "post /lead-search/lists/:listId/items",
    "post /lead-search/lists/:listId/add-search",
  ],
  "post /lead-search/lists/:fromListId/leads",
  "post /crm/import",
  "post /workspace/export",
  "post /privacy/erase",
  ...["post /billing/checkout", "post /billing/portal"],
  "post /campaigns/:campaignId/test-send",
  "post /inbox/threads/:threadId/reply",
];

/** Whether an example needs Temporal or a provider. */
export function isAway({ at, body }: Example): boolean {
  return (
    AWAITS.includes(String(body["action"])) ||
    AWAITING.includes(at) ||
    (at === "post /crm/connect" && body["action"] !== "update")
  );
}

/** The id that stands for a parameter of a path. The lists of the lead search are not the lists of leads. */
function sampleAt(at: string, field: string): string {
  const isSearch = at.includes("/lead-search/") && /listId$/i.test(field);
  return new Map<string, string>(Object.entries(EXAMPLE_IDS)).get(isSearch ? "searchListId" : field) ?? field;
}

function withOwnIds(text: string, own: ReadonlyMap<string, string>): string {
  return [...own].reduce((all, [example, id]) => all.replaceAll(example, id), text);
}

function asked(rest: Rest, method: string, path: string, body: Record<string, unknown>): Promise<RestAnswer> {
  if ("file" in body) return rest.post(path, formOf(body));
  if (method === "put") return rest.put(path, body);
  return method === "patch" ? rest.patch(path, body) : rest.post(path, body);
}

function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (name === "file") form.append(name, new File([String(value)], "fair.csv"));
    else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

/**
 * Remembers the id of what this response is about, as the first example id of its prefix, for the examples that follow.
 */
async function learn(
  { rest, workspaceId, own }: { rest: Rest; workspaceId: string; own: Map<string, string> },
  at: string,
  { status, body }: RestAnswer,
): Promise<void> {
  const kind = String(body?.id).split("_")[0];
  const made = Object.values(EXAMPLE_IDS).find((example) => example.split("_")[0] === kind && !own.has(example));
  if (made !== undefined) own.set(made, body.id);
  if (at === "post /campaigns" && !own.has(EXAMPLE_IDS.sendId)) {
    const lost = {
      _id: newId("snd"),
      campaignId: body.id,
      to: "dan@people.example",
      state: "UNKNOWN" as const,
      unknownAt: new Date(),
    };
    await scoped(workspaceId).Send.insert(lost);
    own.set(EXAMPLE_IDS.sendId, lost._id);
  }
  if (at === "post /approvals/:approvalId")
    await scoped(workspaceId).Approval.updateOne({ _id: body.id }, { $set: { status: "PENDING" } });
  if (at === "post /leads/manage" && status === 200 && body.noteId !== undefined)
    own.set(EXAMPLE_IDS.noteId, body.noteId);
  if (at !== "post /campaigns/:campaignId/recipients" || own.has(EXAMPLE_IDS.recipientId)) return;
  const { body: page } = await rest.get(`/campaigns/${own.get(EXAMPLE_IDS.campaignId)}/recipients`);
  if (page.items[0] !== undefined) own.set(EXAMPLE_IDS.recipientId, page.items[0].id);
}
