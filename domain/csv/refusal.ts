import { AppError } from "../errors.ts";

/** The error for an invalid file, with the number of the invalid line. */
export function notCsv(line: number | null, code: string, message: string): AppError {
  const issue = { path: "file", code, message: line === null ? message : `line ${line} ${message}` };
  return new AppError("VALIDATION_FAILED", "The request is not valid", {
    issues: [issue],
    ...(line !== null && { line }),
  });
}
