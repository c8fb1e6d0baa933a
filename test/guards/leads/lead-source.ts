import type { Guard } from "../guard.ts";

const [STORED, WORDS] = ["test/leads/lead-source.test.ts", "test/domain/lead-source.test.ts"];

export const LEAD_SOURCES: Guard[] = [
  {
    guard: "An import that changes a lead leaves its source as it is",
    file: "store/leads/import-page.ts",
    text: "set: { ...changes, imports: imports(lead) },",
    instead: "set: { ...changes, imports: imports(lead), createdFrom: { ...page.createdFrom, at: now } },",
    test: STORED,
  },
  {
    guard: "The source of a lead from the console names the person, not the session",
    file: "operations/context.ts",
    text: 'kind === "CONSOLE" ? userId : credentialId',
    instead: "credentialId",
    test: STORED,
    only: "stores what it was created from",
  },
  {
    guard: "Recipients read the name of a file without its path",
    file: "domain/lead-source.ts",
    text: "path.split(/[/\\\\]/).at(-1)",
    instead: "path",
    test: WORDS,
  },
  {
    guard: "Recipients read no name of a prospect list",
    file: "domain/lead-source.ts",
    text: 'return "a search of a lead database";',
    instead: 'return name ?? "";',
    test: WORDS,
  },
  {
    guard: "A variable whose name has a point is found",
    file: "domain/templates/liquid.ts",
    text: "dotted === undefined ? paths : [dotted, ...rest]",
    instead: "paths",
    test: WORDS,
    only: "an email shows the source of its lead",
  },
  {
    guard: "The check counts the people whose source is unknown",
    file: "store/leads/blank-values.ts",
    text: 'if (key === "lead.source") return isBlankValue("$createdFrom.kind");',
    instead: "",
    test: STORED,
    only: "counts the people whose source is unknown",
  },
  {
    guard: "An answer about an unknown source invents none",
    file: "domain/inbox/data-request.ts",
    text: "createdFrom === null\n      ?",
    instead: "email === null\n      ?",
    test: "test/domain/inbox/data-request.test.ts",
    only: "the answer says so when no source is recorded",
  },
  {
    guard: "An email of a campaign does not answer a request about data",
    file: "operations/inbox/data-request.ts",
    text: 'kind: trusted({ $ne: "CAMPAIGN" }),',
    instead: "",
    test: "test/inbox/data-request.test.ts",
    only: "a reply answers the request",
  },
];
