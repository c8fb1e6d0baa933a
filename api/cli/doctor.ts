import { parseArgs } from "node:util";
import { checkSetup, type NamedTargets } from "../../runtime/doctor/checkup.ts";
import { hasFailure, textOf } from "../../runtime/doctor/finding.ts";
import { type MailProtocol, mailTargetOf } from "../../runtime/doctor/network.ts";

const USAGE = "usage: npm run doctor -- [--smtp <host>[:<port>]] [--imap <host>[:<port>]] [--json]";

// Checks the deployment that the settings describe and prints one line for each check; the exit code is 1 when one failed
const asked = readArguments();
if (asked === null) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 1;
} else {
  const findings = await checkSetup(asked.named);
  console.log(asked.isJson ? JSON.stringify({ checks: findings }, null, 2) : textOf(findings));
  process.exitCode = hasFailure(findings) ? 1 : 0;
}

/** Null for arguments that are not in USAGE. */
function readArguments(): { isJson: boolean; named: NamedTargets } | null {
  const named: NamedTargets = {};
  try {
    const { values } = parseArgs({
      options: { smtp: { type: "string" }, imap: { type: "string" }, json: { type: "boolean" } },
    });
    for (const protocol of ["smtp", "imap"] satisfies MailProtocol[]) {
      const text = values[protocol];
      if (text === undefined) continue;
      const target = mailTargetOf(protocol, text);
      if (target === null) return null;
      named[protocol] = target;
    }
    return { isJson: values.json === true, named };
  } catch {
    return null;
  }
}
