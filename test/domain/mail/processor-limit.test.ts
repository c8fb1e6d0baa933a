import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "@jest/globals";
import { closeParsers, parseMails } from "../../../connectors/mime/parse-pool.ts";
import { withinProcessorTime } from "../../../connectors/mime/processor-limit.ts";

const BURNERS = 5;
const burners: Worker[] = [];

afterAll(async () => {
  await Promise.all(burners.map((burner) => burner.terminate()));
  await closeParsers();
});

/** Threads that take the processor from all others until the test ends. */
function burn(): void {
  for (let count = 0; count < BURNERS; count++) burners.push(new Worker("for (;;);", { eval: true }));
}

/** Uses this many milliseconds of processor time, however long that takes. */
function work(milliseconds: number): string {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 >= milliseconds) return "done";
  }
}

/** A reply of 54 kB above a quote, as it arrives from a person who answers at length. */
const LONG = Buffer.from(
  [
    ...[
      "From: pat@firm.example",
      "To: me@ours.example",
      "Subject: Re: Widgets",
      "Content-Type: text/html; charset=utf-8",
      "",
    ],
    `<div>${Array.from({ length: 500 }, (_, index) => `<p>Line ${index} of a long answer, which says what we need and when.</p>`).join("\n")}</div>`,
    `<div class="gmail_quote"><div class="gmail_attr">On Mon, Nov 2, 2026 at 9:05 AM Ann &lt;ann@ours.example&gt; wrote:<br></div><blockquote class="gmail_quote">${"<p>Do you use widgets?</p>".repeat(300)}</blockquote></div>`,
  ].join("\r\n"),
);

test("work below the processor time limit completes even on a busy machine, and work above the limit returns null even on an idle one", async () => {
  const [idle] = await parseMails([LONG]);
  expect(idle?.message.replyText).toContain("Line 499");
  expect(idle?.message.replyText).not.toContain("Do you use widgets?");
  expect(withinProcessorTime(300, () => work(100))).toBe("done");
  expect(withinProcessorTime(300, () => work(2_000))).toBeNull();

  burn();
  const started = performance.now();
  expect(withinProcessorTime(300, () => work(200))).toBe("done");
  expect(withinProcessorTime(300, () => work(1_000))).toBeNull();
  const [busy] = await parseMails([LONG]);
  expect(busy?.message).toEqual(idle?.message);
  // Otherwise the machine was not busy, and nothing was shown
  expect(performance.now() - started).toBeGreaterThan(600);
}, 300_000);

test("code that throws under a processor time limit returns null, and a limit nested in another limit is ignored", () => {
  expect(
    withinProcessorTime(300, () => {
      throw new Error("bad mail");
    }),
  ).toBeNull();
  expect(withinProcessorTime(5_000, () => withinProcessorTime(50, () => work(150)))).toBe("done");
});
