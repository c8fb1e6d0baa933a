import type { SetupFinding } from "../../domain/readiness.ts";

export function ok(check: string, found: string): SetupFinding {
  return { check, status: "OK", found, advice: null };
}

export function warn(check: string, found: string, advice: string): SetupFinding {
  return { check, status: "WARN", found, advice };
}

export function fail(check: string, found: string, advice: string | null): SetupFinding {
  return { check, status: "FAIL", found, advice };
}

export function skip(check: string, found: string, advice: string | null = null): SetupFinding {
  return { check, status: "SKIPPED", found, advice };
}

/** One line for each finding: its status, what was found, and what to do. */
export function textOf(findings: readonly SetupFinding[]): string {
  return findings
    .map(({ check, status, found, advice }) => {
      const line = `${status.padEnd("SKIPPED".length)} ${check}: ${found}.`;
      return advice === null ? line : `${line} ${advice}.`;
    })
    .join("\n");
}

export function hasFailure(findings: readonly SetupFinding[]): boolean {
  return findings.some(({ status }) => status === "FAIL");
}
