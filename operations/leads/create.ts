import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { blankLead, changedLead, LEAD_TEXTS, type LeadChange, MAX_CUSTOM_KEYS, MAX_TAGS, standingOf } from "../../domain/lead.ts";
import { emit } from "../../ledger/events.ts";
import { guardReasons } from "../../ledger/suppress.ts";
import { newId } from "../../models/ids.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../models/transaction.ts";
import { address } from "../address.ts";
import { freeForm, tag } from "../fields.ts";
import { operation } from "../operation.ts";
import { Lead } from "./record.ts";

const text = (max: number) => z.string().max(max).nullable().optional();
const declared = {
  email: address,
  firstName: text(LEAD_TEXTS.firstName),
  lastName: text(LEAD_TEXTS.lastName),
  fullName: text(LEAD_TEXTS.fullName),
  company: text(LEAD_TEXTS.company),
  website: text(LEAD_TEXTS.website),
  jobTitle: text(LEAD_TEXTS.jobTitle),
  phone: text(LEAD_TEXTS.phone),
  city: text(LEAD_TEXTS.city),
  state: text(LEAD_TEXTS.state),
  country: text(LEAD_TEXTS.country),
  timezone: text(LEAD_TEXTS.timezone),
  tags: z.array(tag).max(MAX_TAGS).optional(),
  customFields: freeForm.optional(),
  source: z.string().max(200).optional(),
};
const names = new Set(Object.keys(declared));

export const create = operation({
  summary: "Create a lead. Properties that are not listed become custom fields",
  scope: "leads:write",
  input: z.looseObject(declared).superRefine((input, context) => {
    const { extra, customFields } = split(input);
    for (const issue of freeForm.safeParse(extra).error?.issues ?? [])
      context.addIssue({ ...issue, code: "custom", params: { code: "REFUSED_KEY" } });
    const count = Object.keys({ ...extra, ...customFields }).length;
    if (count > MAX_CUSTOM_KEYS) {
      context.addIssue({
        code: "custom",
        path: ["customFields"],
        message: `must have at most ${MAX_CUSTOM_KEYS} keys`,
        params: { code: "TOO_BIG" },
      });
    }
  }),
  output: Lead,
  async run({ workspaceId, credentialId }, input) {
    const { extra, customFields, known } = split(input);
    const { address, domain } = input.email;
    const content = changedLead(blankLead(address, domain), { ...known, customFields: { ...extra, ...customFields } });
    return inTransaction(async () => {
      const { Lead } = scoped(workspaceId);
      const existing = await Lead.findOne({ email: address }, { select: { _id: 1 } });
      if (existing !== null) throw new AppError("LEAD_ALREADY_EXISTS", "A lead with this address exists", { leadId: existing._id });
      const reasons = (await guardReasons(workspaceId, [address])).get(address) ?? [];
      const source = input.source ?? "API";
      const lead = await Lead.insert({ _id: newId("led"), ...content, ...standingOf(reasons, new Date()), source });
      await emit(workspaceId, { type: "LEAD_CREATED", leadId: lead._id, actor: credentialId, data: { source } });
      return lead;
    });
  },
});

type Input = z.output<z.ZodObject<typeof declared, z.core.$loose>>;

/** Declared fields, and the others: those of the record that only the service writes are among them, so they take no effect. */
function split(input: Input): { known: LeadChange; customFields: Record<string, unknown>; extra: Record<string, unknown> } {
  const { email: _email, source: _source, customFields = {}, tags, ...rest } = input;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const known = Object.fromEntries(given.filter(([name]) => names.has(name)));
  const extra = Object.fromEntries(given.filter(([name]) => !names.has(name)));
  return { known: { ...known, ...(tags !== undefined && { tags }) }, customFields, extra };
}
