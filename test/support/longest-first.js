import { createRequire } from "node:module";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

/** A fresh clone has no timings: without this the longest files may start last, and the run waits for them alone. */
const LONGEST = [
  "system.test.ts",
  "restore.test.ts",
  "placement-killed.test.ts",
  "stops-in-dialogue.test.ts",
  "supervised.test.ts",
  "crm-faults.test.ts",
  "crm-killed.test.ts",
  "lead-search/killed.test.ts",
  "warmup/killed.test.ts",
  "lead-search/provider.test.ts",
  "worker-shutdown.test.ts",
  "sending.test.ts",
  "waiting-orders.test.ts",
  "start.test.ts",
  "resumed.test.ts",
  "feed-engine.test.ts",
  "hold-out.test.ts",
  "last-look.test.ts",
  "data-folder.test.ts",
  "visual-kills.test.ts",
  "inbound-storm.test.ts",
  "hits-killed.test.ts",
  "sequences/edits.test.ts",
  "approvals.test.ts",
  "explain-true.test.ts",
  "replying-killed.test.ts",
  "import-killed.test.ts",
  "visual.test.ts",
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
      return found < 0 ? LONGEST.length : found;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
