import { expect, test } from "@jest/globals";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { ApplicationFailure } from "@temporalio/common";
import { createLog } from "../../runtime/log.ts";
import { withoutSecrets } from "../../runtime/tracing.ts";
import { until } from "../fakes/wait.ts";

const SECRET = "ann@customer.test";

/** What a log writes, as it is read. `windowMs` is a minute unless said. */
function written(windowMs?: number) {
  const lines: string[] = [];
  const log = createLog("info", { write: (line: string) => lines.push(line) }, windowMs);
  return { log, lines, read: () => lines.map((line) => JSON.parse(line)) };
}

const failure = (text: string) => ApplicationFailure.retryable(text, "TransientRefusal");

test("a repeated problem is logged once immediately, then as one line with the count and the affected runs", async () => {
  const { log, read } = written(100);
  for (let time = 0; time < 1_244; time++)
    log.warn(
      { err: failure(`HOST refused at ${time}`), activity: "sendStep", workflowId: `recipient/${time % 20}` },
      "Activity failed",
    );
  expect(read()).toHaveLength(1);
  expect(read()[0]).toMatchObject({
    msg: "Activity failed",
    activity: "sendStep",
    err: { message: "HOST refused at 0" },
  });
  await until(() => read().length === 2, { deadlineMs: 40_000, what: "the count" });
  expect(read()[1]).toMatchObject({
    msg: "Activity failed",
    repeated: 1_243,
    withinSeconds: 0.1,
    err: { message: "HOST refused at 1243" },
  });
  expect(read()[1].about).toHaveLength(10);
  log.warn({ err: failure("again"), activity: "sendStep" }, "Activity failed");
  expect(read()).toHaveLength(3);
});

test("log lines about different activities, reasons or requests, and lines without a problem, are not merged", () => {
  const { log, lines } = written();
  const refused = failure("refused");
  const reset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  for (const activity of ["sendStep", "watchMailbox"]) log.warn({ err: refused, activity }, "Activity failed");
  log.warn({ err: reset(), activity: "sendStep" }, "Activity failed");
  for (const traceId of ["1", "2"]) log.error({ err: refused, traceId }, "request");
  for (let time = 0; time < 2; time++) log.info({ err: refused }, "the mailbox cannot be read");
  for (let time = 0; time < 2; time++) log.warn({ mailboxId: "mbx_1" }, "sent mails have no copy in the Sent folder");
  expect(lines).toHaveLength(9);
});

test("a failed activity is logged with its message if the message is our own, and only with its type if a library wrote the message", () => {
  const { log, lines, read } = written();
  log.warn({ err: failure("HOST refused at CONNECT: TIMEOUT"), activity: "sendStep" }, "Activity failed");
  log.warn(
    { err: ApplicationFailure.retryable(`No such user ${SECRET}`, "SMTPError"), activity: "sendStep" },
    "Activity failed",
  );
  expect(read()).toMatchObject([
    { err: { failure: "TransientRefusal", message: "HOST refused at CONNECT: TIMEOUT" } },
    { err: { failure: "SMTPError" } },
  ]);
  expect(lines.join()).not.toContain(SECRET);
});

test("a trace span is exported with ids, names and codes only, without error texts and unknown attributes", () => {
  const inner = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(withoutSecrets(inner))] });
  const span = provider.getTracer("test").startSpan("RunActivity:sendStep");
  span.setAttributes({ temporalWorkflowId: "recipient/rcp_1", to: SECRET });
  span.recordException(new TypeError(`No such user ${SECRET}`));
  span.addEvent(SECRET);
  span.setStatus({ code: 2, message: SECRET });
  span.end();
  const [left] = inner.getFinishedSpans();
  expect(left?.spanContext()).toEqual(span.spanContext());
  expect(left?.attributes).toEqual({ temporalWorkflowId: "recipient/rcp_1" });
  expect(left?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ["exception", { "exception.type": "TypeError" }],
    ["event", {}],
  ]);
  expect(left?.status).toEqual({ code: 2 });
});
