import { randomUUID } from "node:crypto";
import { z } from "zod";
import { DAY_MS } from "../../../domain/time/durations.ts";
import { type GraphAnswer, refuse } from "./faults.ts";
import type { GraphItem } from "./mailbox.ts";
import { rebuild } from "./messages.ts";
import { Attachment } from "./mime.ts";
import { jsonOf } from "./resource.ts";
import type { GraphCall, GraphSettings } from "./settings.ts";

const UploadOf = z.object({
  AttachmentItem: z.object({
    attachmentType: z.literal("file"),
    name: z.string(),
    contentType: z.string().optional(),
    size: z.number(),
    isInline: z.boolean().optional(),
    contentId: z.string().optional(),
  }),
});

const FileAttachment = Attachment.extend({ "@odata.type": z.literal("#microsoft.graph.fileAttachment") });

interface UploadSession {
  call: GraphCall;
  item: GraphItem;
  file: z.infer<typeof UploadOf>["AttachmentItem"];
  bytes: Buffer;
}

async function add(call: GraphCall, item: GraphItem, file: z.infer<typeof Attachment>): Promise<void> {
  const { attachments = [] } = item.json ?? jsonOf(item);
  await rebuild(call, item, { attachments: [...attachments, file] });
  call.mailbox.changed(item);
}

/** Attachments of drafts: small ones in one request, large ones in ranges to an address that is its own authorization. */
export function uploadSessions() {
  const sessions = new Map<string, UploadSession>();
  const expirationDateTime = new Date(Date.now() + 7 * DAY_MS).toISOString();
  return {
    async attach(call: GraphCall): Promise<GraphAnswer> {
      const item = call.mailbox.find(call.id);
      if (item === undefined) return refuse("ErrorItemNotFound");
      const read = FileAttachment.safeParse(JSON.parse(call.body.toString() || "{}"));
      if (!read.success || !item.isDraft) return refuse("ErrorInvalidRequest");
      const { "@odata.type": type, ...file } = read.data;
      await add(call, item, file);
      return { status: 201, body: { "@odata.type": type, id: randomUUID(), name: file.name } };
    },
    create(call: GraphCall, settings: GraphSettings): GraphAnswer {
      const item = call.mailbox.find(call.id);
      if (item === undefined) return refuse("ErrorItemNotFound");
      const read = UploadOf.safeParse(JSON.parse(call.body.toString() || "{}"));
      if (!read.success || !item.isDraft) return refuse("ErrorInvalidRequest");
      if (read.data.AttachmentItem.size < settings.leastUploadBytes)
        return refuse("ErrorAttachmentSizeShouldNotBeLessThanMinimumSize");
      const token = randomUUID();
      sessions.set(token, { call, item, file: read.data.AttachmentItem, bytes: Buffer.alloc(0) });
      const context = `${call.host}/v1.0/$metadata#microsoft.graph.uploadSession`;
      // On another host than the API, so that a client does not send its token there
      const uploadUrl = `${call.host.replace("127.0.0.1", "localhost")}/uploads/${token}`;
      return {
        status: 201,
        body: { "@odata.context": context, uploadUrl, expirationDateTime, nextExpectedRanges: ["0-"] },
      };
    },
    async put(token: string, headers: GraphCall["headers"], body: Buffer): Promise<GraphAnswer> {
      const session = sessions.get(token);
      if (session === undefined) return refuse("ErrorItemNotFound");
      if (headers.authorization !== undefined) return refuse("InvalidAuthenticationToken");
      const { call, item, file } = session;
      const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(headers["content-range"])) ?? [];
      const isNext = Number(start) === session.bytes.length && Number(end) + 1 - Number(start) === body.length;
      if (!isNext || Number(total) !== file.size) return refuse("ErrorInvalidRequest", { status: 416 });
      session.bytes = Buffer.concat([session.bytes, body]);
      if (session.bytes.length < file.size)
        return {
          status: 200,
          body: { ExpirationDateTime: expirationDateTime, nextExpectedRanges: [String(session.bytes.length)] },
        };
      sessions.delete(token);
      const { name, contentType, isInline, contentId } = file;
      await add(call, item, { name, contentType, contentBytes: session.bytes.toString("base64"), isInline, contentId });
      return { status: 201, headers: { Location: `${call.base}/messages/${call.id}/attachments/${token}` } };
    },
  };
}
