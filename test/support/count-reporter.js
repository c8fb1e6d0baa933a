/** Prints the counts of the run as the last line, from Jest's own figures, for readers of that line alone. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    // A suite that could not even load has no failed test, but it is a failure all the same
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.once("exit", () =>
      process.stdout.write(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`),
    );
  }
}
