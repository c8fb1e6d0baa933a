import { createHash } from "node:crypto";
import { readAddress } from "../values/address.ts";
import { comparableDomain, comparableText } from "./filters.ts";
import { MOST_CHARACTERS, MOST_ENTRIES, type ProspectPerson } from "./prospect.ts";

/** One person of a data set with their contact data, read from a row. */
export interface ProspectRow {
  person: Omit<ProspectPerson, "hasEmail" | "hasPhone">;
  email: string | null;
  phone: string | null;
}

/** Why a row is left out: a code and a sentence, never the content of the row. */
export interface ProspectRefusal {
  code: "NO_NAME" | "NO_IDENTITY" | "INVALID_FORMAT" | "TOO_BIG" | "TOO_MANY_CELLS" | "MALFORMED_JSON" | "INVALID_TYPE";
  message: string;
}

const TEXTS = [
  ...["firstName", "lastName", "fullName", "title", "seniority", "department", "city", "state", "country"],
  ...["companyName", "companyDomain", "industry", "companySize", "linkedinUrl", "email", "phone", "id"],
] as const;
const LISTS = ["technologies", "keywords"] as const;
type Text = (typeof TEXTS)[number];
type Field = Text | (typeof LISTS)[number];

/** Other names of columns in exports of common tools, in the form that `keyOf` returns. */
const ALIASES: Readonly<Record<string, Field>> = {
  first: "firstName",
  givenname: "firstName",
  last: "lastName",
  surname: "lastName",
  familyname: "lastName",
  name: "fullName",
  jobtitle: "title",
  position: "title",
  role: "title",
  senioritylevel: "seniority",
  function: "department",
  departments: "department",
  region: "state",
  province: "state",
  countryname: "country",
  location: "city",
  town: "city",
  company: "companyName",
  organization: "companyName",
  organisation: "companyName",
  employer: "companyName",
  domain: "companyDomain",
  website: "companyDomain",
  companywebsite: "companyDomain",
  companyurl: "companyDomain",
  companyindustry: "industry",
  employees: "companySize",
  headcount: "companySize",
  size: "companySize",
  employeecount: "companySize",
  linkedin: "linkedinUrl",
  linkedinprofile: "linkedinUrl",
  personlinkedinurl: "linkedinUrl",
  profileurl: "linkedinUrl",
  emailaddress: "email",
  workemail: "email",
  businessemail: "email",
  mail: "email",
  phonenumber: "phone",
  mobile: "phone",
  mobilephone: "phone",
  directphone: "phone",
  workphone: "phone",
  telephone: "phone",
  personid: "id",
  prospectid: "id",
  externalid: "id",
  technology: "technologies",
  techstack: "technologies",
  keyword: "keywords",
};
const FIELDS = new Map<string, Field>([
  ...Object.entries(ALIASES),
  ...[...TEXTS, ...LISTS].map((one): [string, Field] => [keyOf(one), one]),
]);

/** The field that a column of this name contains; null for a column that is left out. */
export function fieldOfColumn(name: string): Field | null {
  return FIELDS.get(keyOf(name)) ?? null;
}

/** Reads one row, by fields. `isSample` marks people that are invented. */
export function readProspect(cells: Partial<Record<Field, unknown>>, isSample = false): ProspectRow | ProspectRefusal {
  const texts = new Map<Text, string>();
  for (const field of TEXTS) {
    const text = textIn(cells[field]);
    if (text === null) continue;
    if (text.length > (field === "linkedinUrl" ? 2_000 : MOST_CHARACTERS))
      return prospectRefusal("TOO_BIG", `${field} is too long`);
    texts.set(field, text);
  }
  const get = (field: Text) => texts.get(field) ?? null;
  const fullName =
    get("fullName") ?? ([get("firstName"), get("lastName")].filter((part) => part !== null).join(" ") || null);
  if (fullName === null) return prospectRefusal("NO_NAME", "has no name");
  const written = get("email");
  const email = written === null ? null : (readAddress(written)?.address ?? null);
  if (written !== null && email === null)
    return prospectRefusal("INVALID_FORMAT", "has an e-mail address that is none");
  const domain = comparableDomain(get("companyDomain") ?? "") || null;
  const identity = identityOf({ id: get("id"), email, linkedinUrl: get("linkedinUrl"), fullName, domain });
  if (identity === null)
    return prospectRefusal(
      "NO_IDENTITY",
      "has neither an id, an e-mail address, a profile, nor name and company domain",
    );
  const [technologies, keywords] = LISTS.map((field) => listIn(cells[field]));
  return {
    person: {
      id: `prs_${digestOf(identity)}`,
      firstName: get("firstName"),
      lastName: get("lastName"),
      fullName,
      title: get("title"),
      seniority: get("seniority"),
      department: get("department"),
      city: get("city"),
      state: get("state"),
      country: get("country"),
      companyName: get("companyName"),
      companyDomain: domain,
      industry: get("industry"),
      companySize: get("companySize"),
      technologies: technologies ?? [],
      keywords: keywords ?? [],
      linkedinUrl: linkIn(get("linkedinUrl")),
      isSample,
    },
    email,
    phone: get("phone"),
  };
}

export function isRefusal(read: ProspectRow | ProspectRefusal): read is ProspectRefusal {
  return "code" in read;
}

/** The id of a company, which its domain identifies. */
export function companyIdOf(domain: string): string {
  return `cpy_${digestOf(`domain ${domain}`)}`;
}

/** The text that identifies a person. Reading the same row again gives the same text. */
function identityOf(one: {
  id: string | null;
  email: string | null;
  linkedinUrl: string | null;
  fullName: string;
  domain: string | null;
}) {
  const { id, email, linkedinUrl, fullName, domain } = one;
  if (id !== null) return `id ${id}`;
  if (email !== null) return `email ${email}`;
  if (linkedinUrl !== null)
    return `profile ${comparableDomain(linkedinUrl)}/${linkedinUrl.toLowerCase().replace(/^.*\/\/[^/]*\//, "")}`;
  return domain === null ? null : `person ${comparableText(fullName)} ${domain}`;
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuv";

/** 26 characters of the hash of a text. */
function digestOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest();
  let digits = "";
  for (let at = 0; at < 26; at++) digits += ALPHABET[(bytes[at] ?? 0) & 31];
  return digits;
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function textIn(cell: unknown): string | null {
  if (typeof cell !== "string" && typeof cell !== "number") return null;
  const text = String(cell).replace(/\s+/gu, " ").trim().toWellFormed();
  return text === "" ? null : text;
}

/** The values of a list, or of a text that is separated by `;`, `|` or commas. */
function listIn(cell: unknown): string[] {
  const parts = Array.isArray(cell) ? cell : typeof cell === "string" ? cell.split(/[;|,]/) : [];
  const texts = parts
    .flatMap((part) => textIn(part) ?? [])
    .map((text) => text.slice(0, MOST_CHARACTERS).toWellFormed());
  return [...new Set(texts)].slice(0, MOST_ENTRIES);
}

function linkIn(text: string | null): string | null {
  return text !== null && /^https?:\/\/[^\s]+$/i.test(text) ? text : null;
}

function prospectRefusal(code: ProspectRefusal["code"], message: string): ProspectRefusal {
  return { code, message };
}
