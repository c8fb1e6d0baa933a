import { parseArgs } from "node:util";
import { buildIdOfSources } from "../../runtime/build-id.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run database:prepare -- [--build-id <build that this must be>]";

// Migrates the database and creates its indexes, as the first process of this version would; a repeat changes nothing
const fault = findFault();
if (fault === null) await onDatabase(async () => `The database is ready for the build ${buildIdOfSources()}`);
else {
  process.stderr.write(`${fault}\n`);
  // By this code the job of the Helm chart knows that a repeat would end in the same way
  process.exitCode = 2;
}

/** Why nothing may be migrated; null when it may. */
function findFault(): string | null {
  const buildId = buildIdOfSources();
  try {
    const { values } = parseArgs({ options: { "build-id": { type: "string" } } });
    const expected = values["build-id"] ?? buildId;
    return expected === buildId ? null : `This is the build ${buildId}, not ${expected}: correct the build id`;
  } catch {
    return USAGE;
  }
}
