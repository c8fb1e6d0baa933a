import type { Declaration } from "../declaration.ts";
import { erasePerson } from "./erase.ts";
import { exportPerson } from "./export.ts";

export const privacyDeclaration = {
  verbs: {
    "privacy.export": exportPerson,
    "privacy.erase": erasePerson,
  },
  routes: [
    ["post", "/privacy/export", exportPerson],
    ["post", "/privacy/erase", erasePerson, 202],
  ],
  examples: {
    end: [
      {
        at: "post /privacy/export",
        title: "Export everything about one person",
        body: { email: "ada@people.example" },
      },
      { at: "post /privacy/erase", title: "Erase one person", body: { email: "ada@people.example" } },
    ],
  },
} as const satisfies Declaration;
