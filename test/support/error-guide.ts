import { readFileSync, writeFileSync } from "node:fs";
import { ERROR_TEXTS } from "../../api/openapi/error-texts.ts";
import { STATUS_OF } from "../../domain/errors.ts";

const FILE = "docs/guides/errors.md";

const HEAD = `# Errors

The body of every error is \`{code, message, traceId, details}\`. Go by \`code\`: it never changes its meaning; \`message\` is for people, and
\`traceId\` (also the header \`X-Trace-Id\`) finds the request in the service's log. Which codes an operation can answer stands in the
reference.

- **400** means that the request has the wrong shape, **422** that it is well formed but the world refuses it: sending it again changes
  nothing. **404** is also the answer for another workspace's id.
- **409** means that something is in another state or version than the request needs: read it again.
- **429** and **503** pass: wait as long as \`Retry-After\` says. What to know before a write is repeated: ${linkTo("idempotency")}.
- \`VALIDATION_FAILED\` has \`details.issues\`, one \`{path, code, message}\` for each place, with paths such as \`steps.0.subject\`.
- An update that names nothing to change is refused too, with the issue \`NOTHING_TO_CHANGE\`.

\`\`\`json
{
  "code": "VALIDATION_FAILED",
  "message": "The request is not valid",
  "traceId": "01KA2M5W8X3Y6Z9B1C4D7F0G2H",
  "details": { "issues": [{ "path": "dailyLimit", "code": "INVALID_TYPE", "message": "must be a number, not text" }] }
}
\`\`\`

`;

function linkTo(guide: string): string {
  return `[${guide}](${guide}.md)`;
}

/** The guide on errors: every code of the one table, with its text. */
export function errorGuide(): string {
  const rows = Object.entries(STATUS_OF)
    .toSorted(([, one], [, other]) => one - other)
    .map(([code, status]) => `| ${status} | \`${code}\` | ${textOf(code)} |`);
  return `${HEAD}| Status | Code | What it says |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function textOf(code: string): string {
  return Object.entries(ERROR_TEXTS).find(([name]) => name === code)?.[1] ?? "";
}

export function isErrorGuideFresh(): boolean {
  return readFileSync(FILE, "utf8") === errorGuide();
}

if (import.meta.main) writeFileSync(FILE, errorGuide());
