import type { OutboxCommand, OutboxKind } from "../../domain/outbox.ts";
import { scoped } from "../../models/scoped.ts";

type Of<K extends OutboxKind> = Extract<OutboxCommand, { kind: K }>;

/** A workspace's rows of one kind, in order. */
export async function outboxOf<K extends OutboxKind>(workspaceId: string, kind: K): Promise<Of<K>[]> {
  const rows: OutboxCommand[] = await scoped(workspaceId).OutboxRow.find({ kind }, { sort: { _id: 1 } });
  return rows.filter((row): row is Of<K> => row.kind === kind);
}
