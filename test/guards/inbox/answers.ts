import type { Guard } from "../guard.ts";

const ANSWERED = "test/doors/answers.test.ts";
const SEARCHED = "test/doors/search.test.ts";
const WARMED = "test/warmup/manage.test.ts";
const MIGRATED = "test/database/migrations.test.ts";

/** Guards for true answers, and for searches that find what is there. */
export const ANSWERS: Guard[] = [
  {
    guard: "A whole number in a query is written in digits alone",
    file: "operations/fields.ts",
    text: 'typeof value === "string" && /^[0-9]+$/.test(value)',
    instead: 'typeof value === "string"',
    test: ANSWERED,
    only: "written in digits alone",
  },
  {
    guard: "A change that names nothing is no success",
    file: "operations/fields.ts",
    text: "    if (isChange(asked)) return;",
    instead: "    if (isChange(asked) || true) return;",
    test: ANSWERED,
    only: "that names no change",
  },
  {
    guard: "A configuration is applied to several only where there is one",
    file: "operations/warmup/manage.ts",
    text: 'bulkAction !== "apply-config" || namesAny(config ?? {})',
    instead: "true",
    test: ANSWERED,
    only: "warmups",
  },
  {
    guard: "Fields that only the service writes are no change of a lead",
    file: "operations/leads/update.ts",
    text: 'return namesAny({ email: patch["email"], status: patch["status"], ...changeOf(patch, own) });',
    instead: "return namesAny(patch);",
    test: ANSWERED,
    only: "a lead by",
  },
  {
    guard: "The rows of a verification job are left out and said to be",
    file: "operations/verification/job-record.ts",
    text: "  items: itemsLeftOut.describe",
    instead: "  rows: itemsLeftOut.describe",
    test: "test/doors/field-tables.test.ts",
  },
  {
    guard: "A row of the list of jobs says that it leaves out the outcome of each row",
    file: "operations/jobs.ts",
    text: "record({ ...jobFields, items: itemsLeftOut })",
    instead: "record(jobFields)",
    test: "test/doors/field-tables.test.ts",
  },
  {
    guard: "Mail of a warmup that has stopped is not said to be treated",
    file: "store/warmup/engagements.ts",
    text: '    if (enrolment.status === "STOPPED") throw invalidTransition("STOPPED", TREATMENTS[kind]);',
    instead: "",
    test: WARMED,
    only: "marking the emails of a stopped",
  },
  {
    guard: "A warmup's limit of today is that of its plan before the plan was made, and none while it stands still",
    file: "operations/warmup/record.ts",
    text: "    dailyLimit: targetOfToday(enrolment, mailboxOf.get(enrolment._id), zone, senders.has(enrolment._id)),",
    instead: "",
    test: WARMED,
    only: "before the plan is made",
  },
  {
    guard: "A warmup whose day is not planned yet says so",
    file: "operations/warmup/record.ts",
    text: 'enrolment.status === "ACTIVE" && enrolment.replanAt !== null',
    instead: "false",
    test: WARMED,
    only: "before the plan is made",
  },
  {
    guard: "Accents make no difference to a search",
    file: "domain/fold.ts",
    text: '.replace(MARKS, "")',
    instead: "",
    test: SEARCHED,
  },
  {
    guard: "Letters that have no accent to take off are found as they are commonly written",
    file: "domain/fold.ts",
    text: "PLAIN[letter] ?? letter",
    instead: "letter",
    test: SEARCHED,
  },
  {
    guard: "An @ before a domain means the domain",
    file: "domain/fold.ts",
    text: 'word.length > 1 && word.startsWith("@") ? word.slice(1) : word',
    instead: "word",
    test: SEARCHED,
  },
  {
    guard: "Each word of a search stands in a name that it finds",
    file: "domain/fold.ts",
    text: "foldedTerms(search).every(",
    instead: "foldedTerms(search).some(",
    test: SEARCHED,
  },
  {
    guard: "The words of leads that are stored are folded before a search is",
    file: "mongo/migrations.ts",
    text: "searchWords.map(foldWord)",
    instead: "searchWords",
    test: MIGRATED,
    only: "without their accents",
  },
  {
    guard: "The folding of words goes on where a process died",
    file: "mongo/migrations.ts",
    text: 'place?.collection === name ? place.after : ""',
    instead: '""',
    test: MIGRATED,
    only: "without their accents",
  },
  {
    guard: "Words that change while they are folded are left alone",
    file: "mongo/migrations.ts",
    text: "filter: { _id, searchWords }",
    instead: "filter: { _id }",
    test: MIGRATED,
    only: "search words that change during",
  },
];
