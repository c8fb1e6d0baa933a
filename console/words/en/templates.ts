import type { TemplateKind } from "../../../domain/states.ts";
import { counted } from "../format.ts";

/** The names of the kinds of templates. */
export const TEMPLATE_KIND: Record<TemplateKind, string> = {
  SEQUENCE: "Sequence",
  STEP: "Step",
  REPLY: "Reply",
};

/** The texts of the page of templates. */
export const templateWords = {
  title: "Templates",
  lead: "Texts and whole sequences to use again. Campaigns and replies get copies, so a change here changes nothing that is sent.",
  empty: "No templates yet. Save a text that you use often, or the sequence of a campaign.",
  add: "New template",
  name: "Name",
  kind: "Kind",
  kindHint: {
    SEQUENCE: "All steps of a campaign, copied from one that you have.",
    STEP: "The subject and text of one email in a campaign.",
    REPLY: "A text for replies in the inbox.",
  } satisfies Record<TemplateKind, string>,
  subject: "Subject",
  text: "Text",
  html: "Text (HTML)",
  textHint: "Variables such as {{firstName}} are filled in for each person.",
  campaign: "Campaign to copy the sequence from",
  chooseCampaign: "Choose a campaign",
  noCampaign: "There is no campaign to copy from yet.",
  create: "Create template",
  save: "Save template",
  edit: "Edit",
  duplicate: "Duplicate",
  remove: "Delete",
  undo: "Undo",
  copyOf: (name: string) => `${name.slice(0, 190)} (copy)`,
  saidCreated: (name: string) => `Template “${name}” created.`,
  saidSaved: (name: string) => `Template “${name}” saved.`,
  saidRemoved: (name: string) => `Template “${name}” deleted.`,
  saidRestored: (name: string) => `Template “${name}” restored.`,
  variables: "Variables",
  changed: "Changed",
  steps: (count: number) => counted(count, "step", "steps"),
  step: (at: number, variant: string, isOnly: boolean) => (isOnly ? `Step ${at}` : `Step ${at}, variant ${variant}`),
  noText: "This step has no email.",
  unknown: (name: string) => `Unknown: ${name}`,
  preview: "Preview",
  previewOf: "Preview with example values",
  noSubject: "(no subject)",
  quoted: "Show quoted text",
  uses: (names: string) => `Uses ${names}`,
  usesNone: "Uses no variables",
  notKnown: (name: string, meant: string | null) =>
    meant === null
      ? `No field of this workspace is called ${name}.`
      : `No field of this workspace is called ${name}. Did you mean ${meant}?`,
} as const;
