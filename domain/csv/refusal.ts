import { AppError } from "../errors.ts";

/** The error for an invalid file, with the number of the invalid line. */
export function notCsv(line: number | null, reason: string, words: string, path = "file"): CsvRefusal {
  return new CsvRefusal(line, reason, words, path);
}

/** A refusal that keeps its parts, so that a text of CSV in another field can be refused in the same words. */
export class CsvRefusal extends AppError {
  readonly line: number | null;
  readonly reason: string;
  readonly words: string;

  constructor(line: number | null, reason: string, words: string, path: string) {
    const issue = { path, code: reason, message: line === null ? words : `line ${line} ${words}` };
    super("VALIDATION_FAILED", "The request is not valid", { issues: [issue], ...(line !== null && { line }) });
    [this.line, this.reason, this.words] = [line, reason, words];
  }
}
