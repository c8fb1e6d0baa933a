import type { z } from "zod";
import type { Issue } from "./errors.ts";
import { fieldNotOf, kindOf, mustBe, oneOf, sentenceOf } from "./issue-words.ts";

type ZodIssue = z.core.$ZodIssue;
type OfUnion = z.core.$ZodIssueInvalidUnion;

/** The most issues that are listed, because a request may have thousands. */
const MOST_ISSUES = 100;

/**
 * Reads a value by its schema. Our own words say what is wrong: a path, a code and a sentence each, at most 100. Only
 * this function distinguishes a missing value from one of a wrong type, so use it for every error about a schema that
 * callers read.
 */
export function readBy<T extends z.ZodType>(
  schema: T,
  raw: unknown,
): { success: true; data: z.output<T> } | { success: false; issues: Issue[] } {
  const read = schema.safeParse(raw, { reportInput: true, error: knownNames });
  if (read.success) return { success: true, data: read.data };
  return { success: false, issues: read.error.issues.flatMap(issueOf).slice(0, MOST_ISSUES) };
}

/** The parts of a value that its schema refuses. */
export function issuesBy(schema: z.ZodType, raw: unknown): Issue[] {
  const read = readBy(schema, raw);
  return read.success ? [] : read.issues;
}

/**
 * Replaces the library's message about unknown names by a list of the names that the object has, from which the
 * probable name is found.
 */
function knownNames({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "unrecognized_keys" || inst === undefined) return undefined;
  const { def } = inst._zod;
  return "shape" in def && typeof def.shape === "object" && def.shape !== null ? Object.keys(def.shape).join(" ") : "";
}

function issueOf(issue: ZodIssue): Issue[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const names = issue.message.split(" ").filter(Boolean);
    return issue.keys.map((key) => ({
      path: path === "" ? key : `${path}.${key}`,
      code: "UNKNOWN_FIELD",
      message: fieldNotOf("this request", key, names),
    }));
  }
  if (issue.code !== "invalid_union") return [{ path, ...sentenceOf(issue) }];
  if (issue.errors.length === 0) return [{ path, ...oneOf(optionsOf(issue), chosenOf(issue)) }];
  return unionOf(issue, path);
}

/**
 * The issues of a union, from the alternatives that fit the value's type. If there are several, the message says what
 * each of them accepts.
 */
function unionOf({ errors, path: prefix, input }: OfUnion, path: string): Issue[] {
  const near = errors.filter((issues) => !issues.some(isOfOtherType));
  if (near.length === 0) {
    const kinds = errors.flatMap((issues) =>
      issues.flatMap((issue) => (issue.code === "invalid_type" ? kindOf(issue.expected) : [])),
    );
    return [{ path, ...mustBe([...new Set(kinds)], input) }];
  }
  const issueLists = near.map((issues) =>
    issues.flatMap((issue) => issueOf({ ...issue, path: [...prefix, ...issue.path] })),
  );
  const nearest = issueLists.reduce((best, other) => (other.length < best.length ? other : best));
  if (issueLists.some((issues) => issues.length !== 1 || issues[0]?.path !== path)) return nearest;
  const messages = [...new Set(issueLists.flat().map(({ message }) => message))];
  return nearest.map((issue) => ({ ...issue, message: messages.join(", or ").replaceAll(", or must be ", ", or ") }));
}

function isOfOtherType({ code, path }: ZodIssue): boolean {
  return code === "invalid_type" && path.length === 0;
}

/** The possible values of a field that selects an alternative. */
function optionsOf(issue: OfUnion): readonly unknown[] {
  return "options" in issue && issue.options !== undefined ? issue.options : [];
}

function chosenOf({ input, path }: OfUnion): unknown {
  const name = path.at(-1);
  return typeof input === "object" && input !== null && name !== undefined ? Reflect.get(input, name) : undefined;
}
