import type { z } from "zod";
import type { Issue } from "../domain/errors.ts";

type ZodIssue = z.core.$ZodIssue;

/** Translates a schema's errors into our own words: a path, a code and a sentence each, at most 100. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap(issueOf).slice(0, 100);
}

function issueOf(issue: ZodIssue): Issue[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: path === "" ? key : `${path}.${key}`,
      code: "UNKNOWN_FIELD",
      message: "is not a field of this request",
    }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const nearest = issue.errors.reduce((best, other) => (other.length < best.length ? other : best));
    return nearest.flatMap((inner) => issueOf({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ path, ...sentenceOf(issue) }];
}

function sentenceOf(issue: ZodIssue): { code: string; message: string } {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? { code: "REQUIRED", message: `is required (${article(issue.expected)})` }
        : { code: "INVALID_TYPE", message: `must be ${article(issue.expected)}` };
    case "too_small":
      return { code: "TOO_SMALL", message: `must ${sizeOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}` };
    case "too_big":
      return { code: "TOO_BIG", message: `must ${sizeOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}` };
    case "invalid_value":
      return { code: "INVALID_VALUE", message: `must be one of ${issue.values.map(String).join(", ")}` };
    case "invalid_format":
      return {
        code: "INVALID_FORMAT",
        message: `is not a valid ${issue.format === "regex" ? "value" : issue.format.replaceAll("_", " ")}`,
      };
    case "custom":
      return { code: typeof issue.params?.["code"] === "string" ? issue.params["code"] : "INVALID", message: issue.message };
    default:
      return { code: issue.code.toUpperCase(), message: "is not valid" };
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function sizeOf(origin: string): string {
  return origin === "string" || origin === "array" || origin === "object" || origin === "set" ? "have" : "be";
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" || origin === "set" ? " items" : "";
}
