import { z } from "zod";
import { describedIds } from "../described-ids.ts";
import { flag } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadMessage } from "./find.ts";
import { Message, messageView } from "./record.ts";

const { messageId } = describedIds;

export const get = operation({
  summary:
    "Read one message of the inbox. With `images`, the HTML keeps images at https URLs; loading them notifies the sender",
  scope: "inbox:read",
  errors: ["MESSAGE_NOT_FOUND"],
  input: z.strictObject({
    messageId,
    images: flag
      .default(false)
      .describe(
        "Whether the HTML keeps its images; showing them tells the sender that someone opened the email. Default false",
      ),
  }),
  output: Message,
  async run({ workspaceId }, { messageId, images }) {
    return messageView(await loadMessage(workspaceId, messageId), { images });
  },
});
