type SetupStatus = "OK" | "WARN" | "FAIL" | "SKIPPED";

/** The result of one check of a deployment. It contains no secret and no text of a library. */
export interface SetupFinding {
  check: string;
  status: SetupStatus;
  found: string;
  /** What the operator should do; null when nothing is to be done. */
  advice: string | null;
}

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
