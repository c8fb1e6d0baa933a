import { expect, test } from "@jest/globals";
import { command } from "../support/command.ts";
import { newNamespace } from "../support/server-host.ts";

/** What `npm run deployment` refuses before it looks at a version; the deep test of the command has the rest. */
function refusal(text: string) {
  return { code: 1, out: "", err: expect.stringContaining(text) };
}

test("unusable arguments, an unreachable server and a namespace without workers are refused with the reason", async () => {
  const { address, namespace } = await newNamespace();
  const deployment = (...args: string[]) =>
    command({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }, "deployment", args);
  const usage = refusal("usage: npm run deployment");
  const answers = await Promise.all([
    ...[[], ["ramp", "101"], ["show", "me"], ["--force"]].map((args) => deployment(...args)),
    command({ TEMPORAL_ADDRESS: "127.0.0.1:1" }, "deployment", ["show"]),
    deployment("show"),
  ]);
  expect(answers).toEqual([usage, usage, usage, usage, refusal("does not answer"), refusal("none has polled yet")]);
}, 60_000);
