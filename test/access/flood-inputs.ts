import fc from "fast-check";
import { schemaOf } from "../../api/openapi/schemas.ts";
import { actionsOf, isChoice } from "../../mcp/tool.ts";
import { tools } from "../../mcp/tools.ts";
import { EXAMPLE_IDS } from "../../operations/described-ids.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { fitting } from "../support/requests.ts";

const ids = EXAMPLE_IDS;
/** Fields that name existing documents, with the ids of the examples. */
const NAMED: Record<string, unknown> = {
  campaignId: ids.campaignId,
  stepId: ids.stepId,
  variantId: ids.variantId,
  recipientId: ids.recipientId,
  recipientIds: [ids.recipientId],
  leadId: ids.leadId,
  leadIds: [ids.leadId],
  ids: [ids.leadId],
  noteId: ids.noteId,
  dealId: ids.dealId,
  fieldId: ids.fieldId,
  listId: ids.listId,
  leadListId: ids.listId,
  mailboxId: ids.mailboxId,
  mailboxIds: [ids.mailboxId],
  testMailboxIds: [ids.testMailboxId],
  threadId: ids.threadId,
  threadIds: [ids.threadId],
  messageId: ids.messageId,
  inReplyToMessageId: ids.messageId,
  sendId: ids.sendId,
  approvalId: ids.approvalId,
  promiseId: ids.promiseId,
  inviteId: ids.inviteId,
  memberId: ids.memberId,
  connectionId: ids.connectionId,
};
const WRITES = /:(write|launch|send|suppress|connect|reveal|lists)$/;

export interface Generated {
  title: string;
  tool: string;
  verb: AnyOperation;
  args: Record<string, unknown>;
}

/**
 * One input for each verb of each tool that writes. It fits the schema, and names existing documents by the ids of the
 * examples.
 */
export function generatedCalls(seed: number): Generated[] {
  return tools.flatMap(({ name, tool }) =>
    actionsOf(tool)
      .filter(([, { scope }]) => scope !== null && WRITES.test(scope))
      .map(([action, verb]) => {
        const by =
          isChoice(tool.operation) && typeof tool.operation.by === "string" ? { [tool.operation.by]: action } : {};
        const key = verb.asksPermit === true ? { idempotencyKey: `generated-${seed}-${name}` } : {};
        return { title: `${name} ${action}`, tool: name, verb, args: { ...inputOf(verb, seed), ...by, ...key } };
      }),
  );
}

function inputOf({ input }: AnyOperation, seed: number): Record<string, unknown> {
  const components = {};
  const [drawn] = fc.sample(fitting(schemaOf(input, "input", components), components), { seed, numRuns: 1 });
  const {
    planOnly: _only,
    planToken: _token,
    filter: _filter,
    ...given
  }: Record<string, unknown> = { ...Object(drawn) };
  const named = Object.keys(input.shape).filter((field) => field in NAMED);
  return { ...given, ...Object.fromEntries(named.map((field) => [field, NAMED[field]])) };
}
