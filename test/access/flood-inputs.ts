import fc from "fast-check";
import { EXAMPLE_IDS } from "../../api/example.ts";
import { schemaOf } from "../../api/openapi/schemas.ts";
import { actionsOf, isChoice } from "../../mcp/tool.ts";
import { tools } from "../../mcp/tools.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { fitting } from "../support/requests.ts";

const ids = EXAMPLE_IDS;
/** Fields that name what there is, by the ids of the examples. */
const NAMED: Record<string, unknown> = {
  ...{ campaignId: ids.campaign, stepId: ids.step, variantId: ids.variant, recipientId: ids.recipient, recipientIds: [ids.recipient] },
  ...{ leadId: ids.lead, leadIds: [ids.lead], ids: [ids.lead], noteId: ids.note, dealId: ids.deal, fieldId: ids.field },
  ...{ listId: ids.list, leadListId: ids.list, mailboxId: ids.mailbox, mailboxIds: [ids.mailbox], testMailboxIds: [ids.testMailbox] },
  ...{ threadId: ids.thread, threadIds: [ids.thread], messageId: ids.message, inReplyToMessageId: ids.message, sendId: ids.send },
  ...{ approvalId: ids.approval, promiseId: ids.promise, inviteId: ids.invite, memberId: ids.member, connectionId: ids.crmConnection },
};
const WRITES = /:(write|launch|send|suppress|connect|reveal|lists)$/;

export interface Generated {
  title: string;
  tool: string;
  verb: AnyOperation;
  args: Record<string, unknown>;
}

/** One input for each verb of each tool that writes. It fits the schema, and names existing documents by the ids of the examples. */
export function generatedCalls(seed: number): Generated[] {
  return tools.flatMap(({ name, tool }) =>
    actionsOf(tool)
      .filter(([, { scope }]) => scope !== null && WRITES.test(scope))
      .map(([action, verb]) => {
        const by = isChoice(tool.operation) && typeof tool.operation.by === "string" ? { [tool.operation.by]: action } : {};
        const key = verb.asksPermit === true ? { idempotencyKey: `generated-${seed}-${name}` } : {};
        return { title: `${name} ${action}`, tool: name, verb, args: { ...inputOf(verb, seed), ...by, ...key } };
      }),
  );
}

function inputOf({ input }: AnyOperation, seed: number): Record<string, unknown> {
  const components = {};
  const [drawn] = fc.sample(fitting(schemaOf(input, "input", components), components), { seed, numRuns: 1 });
  const { planOnly: _only, planToken: _token, filter: _filter, ...given }: Record<string, unknown> = { ...Object(drawn) };
  const named = Object.keys(input.shape).filter((field) => field in NAMED);
  return { ...given, ...Object.fromEntries(named.map((field) => [field, NAMED[field]])) };
}
