import { relative } from "node:path";
import Sequencer from "@jest/test-sequencer";
import { readTimings } from "./timings.ts";

/** Files that were never recorded are expected to take as long as most. */
const UNKNOWN_SECONDS = 3;
/** How many short files follow each long one: long files mostly wait, and short ones use the processor meanwhile. */
const BETWEEN = 3;
const LONG_SECONDS = 10;

/** Orders test files, and divides them among shards, by the seconds in `test/timings.json`. */
export default class RecordedOrder extends Sequencer {
  #timings = readTimings();

  #secondsOf({ path, context }) {
    return this.#timings[relative(context.config.rootDir, path)]?.seconds ?? UNKNOWN_SECONDS;
  }

  #longestFirst(tests) {
    return tests.toSorted(
      (one, other) => this.#secondsOf(other) - this.#secondsOf(one) || (one.path < other.path ? -1 : 1),
    );
  }

  /** The longest files start first, so that the end of the run does not wait for one of them. */
  sort(tests) {
    const sorted = this.#longestFirst(tests);
    const long = sorted.filter((test) => this.#secondsOf(test) >= LONG_SECONDS);
    const short = sorted.slice(long.length);
    const mixed = long.flatMap((test, index) => [test, ...short.slice(index * BETWEEN, (index + 1) * BETWEEN)]);
    return [...mixed, ...short.slice(long.length * BETWEEN)];
  }

  /** Gives each next longest file to the shard that has the least to do, so that all shards take about as long. */
  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }));
    for (const test of this.#longestFirst(tests)) {
      const least = shards.reduce((one, other) => (other.seconds < one.seconds ? other : one));
      least.tests.push(test);
      least.seconds += this.#secondsOf(test);
    }
    return shards[shardIndex - 1].tests;
  }
}
