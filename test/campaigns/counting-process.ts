import { randomInt } from "node:crypto";
import { connect } from "../../models/connect.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";

/**
 * A process that changes facts of recipients until it is killed. It prints a point after every write, before and after
 * the commit.
 */
export interface CountingOrders {
  mongodbUri: string;
  workspaceId: string;
  recipientIds: string[];
}

const orders = JSON.parse(process.argv[2] ?? "{}") as CountingOrders; // written by the test
const { mongodbUri, workspaceId, recipientIds } = orders;
const FIELDS = ["lastSentAt", "openedAt", "clickedAt", "repliedAt", "unsubscribedAt"] as const;

await connect(mongodbUri);
await Promise.all(Array.from({ length: 4 }, changeOn));

async function changeOn(): Promise<never> {
  for (;;) {
    await inTransaction(async () => {
      for (let count = 0; count < 3; count++) await changeOne();
    });
    process.stdout.write(".");
  }
}

async function changeOne(): Promise<void> {
  const _id = recipientIds[randomInt(recipientIds.length)] ?? "";
  const field = FIELDS[randomInt(FIELDS.length)] ?? "openedAt";
  const value = randomInt(2) === 0 ? null : new Date();
  await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: { [field]: value } });
  process.stdout.write(".");
}
