import { parseArgs } from "node:util";
import { findReported, type ReportedMail } from "../../operations/abuse/find-workspace.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { onDatabase } from "./database.ts";

const USAGE =
  "usage: npm run workspace:find -- --message <Message-ID, X-Mail-Ref or Feedback-ID of the reported email>";

// Prints the workspaces from which a reported email came, one a line
await onDatabase(async (openRing) => {
  const { message } = parseArgs({ options: { message: { type: "string" } } }).values;
  if (message === undefined || message.trim() === "") throw new Error(USAGE);
  const found = await findReported(message, async () => loadSigningKeys(await openRing()));
  if (found.length === 0) throw new Error("No email of this service has this id");
  return found.map(lineOf).join("\n");
});

function lineOf({ workspaceId, workspaceName, ownerEmail, isSuspended, send }: ReportedMail): string {
  const name = JSON.stringify(workspaceName ?? "deleted"); // a name may contain a tab or a line break
  const state = isSuspended ? "suspended" : "not suspended";
  const mail =
    send === null
      ? []
      : [
          send.kind,
          send.state,
          `from ${send.from ?? "a deleted mailbox"}`,
          send.at?.toISOString() ?? "not sent",
          send.id,
        ];
  return [workspaceId, name, ownerEmail ?? "", state, ...mail].join("\t");
}
