import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";

/** A workspace in which one record of each kind is named after Zürich, and one of each is not. */
export async function namedRecords(rest: Rest, workspaceId: string): Promise<void> {
  for (const name of ["Zürich spring", "Winter"]) {
    await rest.post("/campaigns", { name, goal: `${name} goal` });
    await rest.post("/lead-lists", { name });
    await rest.post("/templates", { name, kind: "REPLY", bodyText: "Hello" });
    await rest.post("/templates", { name: `${name} opener`, kind: "STEP", subject: "Hi" });
    const email = `${name.startsWith("Z") ? "zurich" : "winter"}@example.test`;
    await rest.post("/leads", { email, firstName: "Ada", company: name });
    const { _id: mailboxId } = await storedMailbox(workspaceId, { email: `from-${email}`, name });
    await scoped(workspaceId).Thread.insert({
      _id: newId("thr"),
      mailboxId,
      subject: name,
      participants: [{ name: "Grace", address: email }],
      searchWords: [name.startsWith("Z") ? "zurich" : "winter"],
      isArchived: name.startsWith("Z"),
      lastMessageAt: new Date(),
    });
  }
}
