import type { Guard } from "../guard.ts";

const TREAT = "test/warmup/treat.test.ts";

export const WARMUP_TREAT: Guard[] = [
  {
    guard: "Warmup mail that its server keeps in Junk is not tried again at once",
    file: "activities/warmup/engage.ts",
    text: "    await postpone({ received: mails, copies: [] });\n",
    instead: "",
    test: TREAT,
  },
  {
    guard: "Warmup mail that a server lets be copied and not removed is not copied again and again",
    file: "connectors/imap/treat.ts",
    text: "    if (!client.usable) throw err;\n  });",
    instead: "    throw err;\n  });",
    test: TREAT,
  },
  {
    guard: "Warmup mail that is only to be deleted is not asked for every few minutes",
    file: "store/warmup/engagements.ts",
    text: "new Date(now - DAY_MS)",
    instead: "new Date(now)",
    test: TREAT,
  },
];
