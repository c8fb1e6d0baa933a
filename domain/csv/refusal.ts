import { AppError } from "../errors.ts";

/** The refusal of a file, with the line where it is wrong. */
export function notCsv(line: number | null, code: string, message: string): AppError {
  const issue = { path: "file", code, message: line === null ? message : `line ${line} ${message}` };
  return new AppError("VALIDATION_FAILED", "The request is not valid", {
    issues: [issue],
    ...(line !== null && { line }),
  });
}
