import type { ProspectRefusal } from "./import-row.ts";
import { isRefusal, type ProspectRow, readProspect } from "./import-row.ts";

const FIRST = [
  "Ada",
  "Ben",
  "Carla",
  "Dmitri",
  "Elif",
  "Farid",
  "Greta",
  "Hugo",
  "Ines",
  "Jonas",
  "Kaya",
  "Lena",
  "Milan",
  "Nora",
  "Omar",
];
const LAST = [
  "Albrecht",
  "Bianchi",
  "Costa",
  "Dubois",
  "Eriksen",
  "Fischer",
  "Garcia",
  "Horvat",
  "Ivanova",
  "Jensen",
  "Kowalski",
  "Larsson",
];
const ROLES = [
  ["Head of Sales", "Director", "Sales"],
  ["Account Executive", "Senior", "Sales"],
  ["Chief Technology Officer", "C-Level", "Engineering"],
  ["Software Engineer", "Senior", "Engineering"],
  ["VP Marketing", "VP", "Marketing"],
  ["Marketing Manager", "Manager", "Marketing"],
  ["Chief Executive Officer", "C-Level", "Management"],
  ["Financial Controller", "Manager", "Finance"],
  ["HR Business Partner", "Senior", "Human Resources"],
  ["Operations Manager", "Manager", "Operations"],
] as const;
const PLACES = [
  ["Berlin", "Berlin", "Germany"],
  ["Munich", "Bavaria", "Germany"],
  ["Paris", "Île-de-France", "France"],
  ["Lyon", "Auvergne-Rhône-Alpes", "France"],
  ["London", "England", "United Kingdom"],
  ["Madrid", "Madrid", "Spain"],
  ["Milan", "Lombardy", "Italy"],
  ["Austin", "Texas", "United States"],
  ["Boston", "Massachusetts", "United States"],
  ["Toronto", "Ontario", "Canada"],
] as const;
const INDUSTRIES = ["Software", "Manufacturing", "Logistics", "Retail", "Health Care", "Banking", "Energy", "Media"];
const SIZES = ["1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001+"];
const TECHNOLOGIES = ["PostgreSQL", "MongoDB", "Kubernetes", "React", "SAP", "Salesforce", "Shopify", "Snowflake"];
const IN_COMPANY = 8;

/** Invented people, the same ones in each call. Their addresses are at a domain that no one can register. */
export function* samplePeople(count: number): Generator<ProspectRow> {
  for (let index = 0; index < count; index++) {
    const read = samplePerson(index);
    if (!isRefusal(read)) yield read;
  }
}

function samplePerson(index: number): ProspectRow | ProspectRefusal {
  const company = Math.floor(index / IN_COMPANY);
  const [title, seniority, department] = itemAt(ROLES, index * 7 + company);
  const [city, state, country] = itemAt(PLACES, company * 3);
  const [firstName, lastName] = [itemAt(FIRST, index * 11 + company), itemAt(LAST, index * 5 + company * 2)];
  const domain = `sample-${company}.example`;
  const row = {
    id: `sample ${index}`,
    firstName,
    lastName,
    title,
    seniority,
    department,
    city,
    state,
    country,
    companyName: `Sample Company ${company}`,
    companyDomain: domain,
    industry: itemAt(INDUSTRIES, company),
    companySize: itemAt(SIZES, company),
    technologies: [itemAt(TECHNOLOGIES, company), itemAt(TECHNOLOGIES, company * 3 + 1)],
    keywords: [itemAt(INDUSTRIES, company + 3)],
    // Some people lack a value, as in any data set
    ...(index % 5 !== 4 && { email: `${firstName}.${lastName}.${index}@${domain}`.toLowerCase() }),
    ...(index % 3 === 0 && { phone: `+1 555 01${String(index % 100).padStart(2, "0")}` }),
  };
  return readProspect(row, true);
}

function itemAt<T>(all: readonly [T, ...T[]] | readonly T[], index: number): T {
  const one = all[index % all.length];
  if (one === undefined) throw new Error("There is nothing to choose from");
  return one;
}
