import { z } from "zod";
import { type ProspectPerson, statusBefore } from "../../domain/lead-search/prospect.ts";
import { REVEAL_STATUSES } from "../../domain/states.ts";
import type { KnownProspect } from "../../models/lead-search/known-prospect.ts";
import { nullable } from "../fields.ts";

const text = (what: string) => nullable(z.string()).describe(what);
const status = (what: string) =>
  z
    .enum(REVEAL_STATUSES)
    .describe(`revealed: ${what} is shown; not_revealed: a reveal may find it; not_found: the source does not have it`);

/** A prospect in a response. Contact data is included only once it is revealed. */
export const Prospect = z
  .object({
    id: z.string().describe("The id of the prospect"),
    firstName: text("First name"),
    lastName: text("Last name"),
    fullName: text("The full name"),
    title: text("The job title, in the words of the source"),
    seniority: text("The seniority of the person"),
    department: text("The department"),
    city: text("The city"),
    state: text("The state or region"),
    country: text("The country"),
    company: z
      .object({
        name: text("Its name"),
        domain: text("Its domain"),
        industry: text("Its industry"),
        size: text("How many people work there, such as 51-200"),
      })
      .meta({ id: "Employer", description: "The employer of the person" }),
    technologies: z.array(z.string()).describe("Technologies that the company uses"),
    keywords: z.array(z.string()).describe("Further keywords from the source"),
    linkedinUrl: text("The person's public profile"),
    email: text("The email address, once revealed"),
    emailStatus: status("the address"),
    phone: text("The phone number, once revealed"),
    phoneStatus: status("the number"),
    isSample: z.boolean().describe("Whether this is an invented person, for trying out a search"),
  })
  .meta({ id: "Prospect", description: "A person that a search found" });

/** A person combined with what the workspace has revealed. */
export function prospectOf(person: ProspectPerson, known: KnownProspect | null): z.input<typeof Prospect> {
  const { companyName: name, companyDomain: domain, industry, companySize: size, hasEmail, hasPhone, ...rest } = person;
  const emailStatus = statusIn(known?.emailStatus, hasEmail);
  const phoneStatus = statusIn(known?.phoneStatus, hasPhone);
  return {
    ...rest,
    company: { name, domain, industry, size },
    email: known?.email ?? null,
    emailStatus,
    phone: known?.phone ?? null,
    phoneStatus,
  };
}

/**
 * The status of contact data. If nothing was revealed, the source's current data counts, because it may have found a
 * value since.
 */
function statusIn(known: KnownProspect["emailStatus"] | undefined, has: boolean | null): KnownProspect["emailStatus"] {
  if (known === undefined || (known === "not_found" && has === true)) return statusBefore(has);
  return known;
}
