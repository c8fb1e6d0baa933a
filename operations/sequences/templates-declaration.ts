import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { preview } from "./template-preview.ts";
import * as templates from "./templates.ts";

export const templatesDeclaration = {
  verbs: {
    "templates.list": templates.list,
    "templates.get": templates.get,
    "templates.create": templates.create,
    "templates.update": templates.update,
    "templates.delete": templates.remove,
    "templates.preview": preview,
  },
  routes: [
    ["get", "/templates", templates.list],
    ["post", "/templates", templates.create, 201],
    ["post", "/templates/preview", preview],
    ["get", "/templates/:templateId", templates.get],
    ["patch", "/templates/:templateId", templates.update],
    ["delete", "/templates/:templateId", templates.remove],
  ],
  examples: {
    content: [
      {
        at: "post /templates",
        title: "Save a reply to use again",
        body: { name: "Send prices", kind: "REPLY", bodyText: "Hello {{firstName}}, here are our prices." },
      },
      {
        at: "post /templates",
        title: "Save a sequence to start campaigns from",
        body: {
          name: "Trade fair",
          kind: "SEQUENCE",
          steps: [
            { subject: "{{company}} at the fair", bodyHtml: "<p>Hi {{firstName}}, shall we talk?</p>" },
            { delay: { value: 3, unit: "BUSINESS_DAYS" }, bodyHtml: "<p>Did you see my last mail?</p>" },
          ],
        },
      },
      {
        at: "post /templates/preview",
        title: "Preview a template for a lead",
        body: { subject: "{{company}} at the fair", bodyHtml: "<p>Hi {{firstName}}</p>", leadId: ids.leadId },
      },
      {
        at: "patch /templates/:templateId",
        title: "Rename a template",
        body: { name: "Send prices 2027" },
      },
    ],
  },
} as const satisfies Declaration;
