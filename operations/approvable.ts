import { control } from "./campaigns/control.ts";
import { testSend } from "./campaigns/test-send.ts";
import { create as createPlacementTest } from "./deliverability/placement-tests.ts";
import { reply } from "./inbox/reply.ts";
import { schedule } from "./inbox/schedule.ts";
import type { AnyOperation } from "./operation.ts";

/** The verbs about which a person can be asked, by their names in the audit log, from every area. */
export const APPROVABLE: Readonly<Record<string, AnyOperation>> = {
  "campaigns.launch": control.actions.launch,
  "campaigns.resume": control.actions.resume,
  "campaigns.testSend": testSend,
  "inbox.reply": reply,
  "inbox.schedule": schedule,
  "placementTests.create": createPlacementTest,
};
