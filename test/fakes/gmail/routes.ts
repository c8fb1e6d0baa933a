import { z } from "zod";
import { attachmentOf, rendered } from "./messages.ts";
import {
  brief,
  createDraft,
  createLabel,
  formatOf,
  type GmailCall,
  type GmailPost,
  listDrafts,
  listHistory,
  listLabels,
  listMessages,
  profileOf,
  sendDraft,
  sendMessage,
} from "./methods.ts";
import { invalidArgument } from "./refusals.ts";

interface Route {
  http: "GET" | "POST" | "DELETE";
  path: RegExp;
  /** By their last words. */
  scopes: string[];
  /** Null: 204 without a body. */
  run(call: GmailCall, post: GmailPost): object | null;
}

const LabelLists = { addLabelIds: z.array(z.string()).optional(), removeLabelIds: z.array(z.string()).optional() };
const BatchBody = z.object({ ids: z.array(z.string()).max(1_000), ...LabelLists });

const READ = ["mail", "modify", "readonly"];
const COMPOSE = ["mail", "compose", "modify"];
const WITH_METADATA = [...READ, "metadata"];

const paths = (pattern: string) => new RegExp(`^${pattern.replace(/:id/g, "([^/]+)")}$`);

/** By the id of the discovery document, without `gmail.users.`. */
export const ROUTES: Record<string, Route> = {
  getProfile: { http: "GET", path: paths("profile"), scopes: [...WITH_METADATA, "compose"], run: profileOf },
  watch: {
    http: "POST",
    path: paths("watch"),
    scopes: WITH_METADATA,
    run: ({ mailbox, body }, post) => post.watch(mailbox, body),
  },
  stop: {
    http: "POST",
    path: paths("stop"),
    scopes: WITH_METADATA,
    run: ({ mailbox }, post) => {
      post.stop(mailbox);
      return null;
    },
  },
  "drafts.create": { http: "POST", path: paths("drafts"), scopes: COMPOSE, run: createDraft },
  "drafts.list": { http: "GET", path: paths("drafts"), scopes: [...READ, "compose"], run: listDrafts },
  "drafts.send": { http: "POST", path: paths("drafts/send"), scopes: COMPOSE, run: sendDraft },
  "drafts.get": {
    http: "GET",
    path: paths("drafts/:id"),
    scopes: [...READ, "compose"],
    run: ({ mailbox, ids: [id = ""], query }) => ({
      id,
      message: rendered(mailbox.draft(id), formatOf(mailbox, query)),
    }),
  },
  "drafts.delete": {
    http: "DELETE",
    path: paths("drafts/:id"),
    scopes: COMPOSE,
    run: ({ mailbox, ids: [id = ""] }) => {
      mailbox.discardDraft(id);
      return null;
    },
  },
  "messages.send": { http: "POST", path: paths("messages/send"), scopes: [...COMPOSE, "send"], run: sendMessage },
  "messages.list": { http: "GET", path: paths("messages"), scopes: WITH_METADATA, run: listMessages },
  "messages.batchModify": {
    http: "POST",
    path: paths("messages/batchModify"),
    scopes: ["mail", "modify"],
    run: ({ mailbox, body }) => {
      const { ids, ...labels } = BatchBody.parse(body);
      mailbox.checkLabels([...(labels.addLabelIds ?? []), ...(labels.removeLabelIds ?? [])]);
      for (const id of ids) if (mailbox.messages.has(id)) mailbox.relabel(id, labels);
      return null;
    },
  },
  "messages.get": {
    http: "GET",
    path: paths("messages/:id"),
    scopes: WITH_METADATA,
    run: ({ mailbox, ids: [id = ""], query }) =>
      rendered(mailbox.message(id), formatOf(mailbox, query), query.getAll("metadataHeaders")),
  },
  "messages.modify": {
    http: "POST",
    path: paths("messages/:id/modify"),
    scopes: ["mail", "modify"],
    run: ({ mailbox, ids: [id = ""], body }) => brief(mailbox.relabel(id, z.object(LabelLists).parse(body))),
  },
  "messages.trash": {
    http: "POST",
    path: paths("messages/:id/trash"),
    scopes: ["mail", "modify"],
    run: ({ mailbox, ids: [id = ""] }) =>
      brief(mailbox.relabel(id, { addLabelIds: ["TRASH"], removeLabelIds: ["INBOX"] })),
  },
  "messages.attachments.get": {
    http: "GET",
    path: paths("messages/:id/attachments/:id"),
    scopes: READ,
    run: ({ mailbox, ids: [id = "", attachmentId = ""] }) => {
      const found = attachmentOf(mailbox.message(id), attachmentId);
      if (found === null) throw invalidArgument("Invalid attachment token");
      return found;
    },
  },
  "labels.list": { http: "GET", path: paths("labels"), scopes: [...WITH_METADATA, "labels"], run: listLabels },
  "labels.create": { http: "POST", path: paths("labels"), scopes: ["mail", "modify", "labels"], run: createLabel },
  "threads.get": {
    http: "GET",
    path: paths("threads/:id"),
    scopes: WITH_METADATA,
    run: ({ mailbox, ids: [id = ""], query }) => {
      const messages = mailbox.thread(id);
      const last = messages.reduce((most, { historyId }) => (historyId > most ? historyId : most), 0n);
      const format = formatOf(mailbox, query);
      const headers = query.getAll("metadataHeaders");
      return { id, historyId: String(last), messages: messages.map((each) => rendered(each, format, headers)) };
    },
  },
  "history.list": { http: "GET", path: paths("history"), scopes: WITH_METADATA, run: listHistory },
  "settings.sendAs.list": {
    http: "GET",
    path: paths("settings/sendAs"),
    scopes: [...READ, "settings.basic"],
    run: ({ mailbox }) => ({ sendAs: mailbox.sendAs }),
  },
};
