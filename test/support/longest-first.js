import { createRequire } from "node:module";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

/** Files and folders. A fresh clone has no timings: without this the longest may start last, and the run waits for them alone. */
const LONGEST = [
  "console/roles.test.ts",
  "system.test.ts",
  "placement-killed.test.ts",
  "restore.test.ts",
  "agent/killed.test.ts",
  "worker-shutdown.test.ts",
  "supervised.test.ts",
  "lead-search/killed.test.ts",
  "stops-in-dialogue.test.ts",
  "system/start.test.ts",
  "waiting-orders.test.ts",
  "sending/bands.test.ts",
  "workflows/warmup.test.ts",
  "event-orders.test.ts",
  "agent/orders.test.ts",
  "domain/warmup/text.test.ts",
  "warmup/killed.test.ts",
  "resumed.test.ts",
  "deliverability/placement.test.ts",
  "visual-kills.test.ts",
  "data-folder.test.ts",
  "explain-true.test.ts",
  "lead-search/provider.test.ts",
  "crm-killed.test.ts",
  "approvals.test.ts",
  "console/",
  "inbound-storm.test.ts",
  "sequences/edits.test.ts",
  "access/console.test.ts",
  "replying-killed.test.ts",
  "import-killed.test.ts",
  "hold-out.test.ts",
  "last-look.test.ts",
  "feed-engine.test.ts",
  "sending/sending.test.ts",
  "visual.test.ts",
];

/** So many others follow each of them: much of what the longest do is to wait, and the others use the processor meanwhile. */
const BETWEEN = 5;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => LONGEST.findIndex((name) => path.includes(`/${name}`));
    const sorted = super.sort(tests);
    const others = sorted.filter((test) => rank(test) < 0);
    const longest = sorted.filter((test) => rank(test) >= 0).toSorted((one, other) => rank(one) - rank(other));
    const mixed = longest.flatMap((test, index) => [test, ...others.slice(index * BETWEEN, (index + 1) * BETWEEN)]);
    return [...mixed, ...others.slice(longest.length * BETWEEN)];
  }
}
