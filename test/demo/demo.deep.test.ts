import { existsSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "@jest/globals";
import { CAMPAIGN_STATUSES, LEAD_STATUSES, RECIPIENT_STATUSES } from "../../domain/states.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { until } from "../fakes/wait.ts";
import { restOf } from "../support/rest.ts";
import { runService } from "../support/service.ts";
import { LETTERS } from "./campaign.ts";

/** A limit for what hangs: on a busy machine every step of the demo takes several times as long. */
const PATIENCE_MS = 15 * MINUTE_MS;
/**
 * Letters for the people of leads.csv, by what their addresses say, and those whose server drops the connection on
 * purpose.
 */
const [INTENDED, DROPPED] = [74, 2];
const demo = runService({}, [], "test/demo/main.ts", ["--keep"]);

afterAll(async () => {
  await demo.end("SIGTERM", MINUTE_MS);
});

test(
  "the demo keeps its promises across a kill, has records in every state, shows how to look around, and cleans up",
  async () => {
    const printed = (pattern: RegExp) =>
      until(() => pattern.exec(demo.output()), { deadlineMs: PATIENCE_MS, what: String(pattern) });
    const end = demo.ended().then((code) => `it ended with ${code}`);
    expect(await Promise.race([printed(/^ {4}end {10}/m).then(() => "it goes on"), end])).toBe("it goes on");
    const output = demo.output();
    expect(output).toContain("\n  Every promise held.\n");
    // Where the kill met an email in its content, its fate is unknown, and the later letters to that person are not
    // meant to come
    const [intended, cut] = [numberOf("intended", output), numberOf("unknown", output) - DROPPED];
    expect(cut).toBeGreaterThanOrEqual(0);
    expect(intended).toBeLessThanOrEqual(INTENDED);
    expect(intended).toBeGreaterThanOrEqual(INTENDED - cut * (LETTERS - 1));
    for (const promise of ["duplicates", "lost", "sent after stop"]) expect(numberOf(promise, output)).toBe(0);
    for (const figure of ["opened", "clicked", "converted"]) expect(numberOf(figure, output)).toBeGreaterThan(0);
    for (const [kind, states] of [
      ["recipients", RECIPIENT_STATUSES],
      ["campaigns", CAMPAIGN_STATUSES],
      ["leads", LEAD_STATUSES],
    ] as const) {
      const [, counts = ""] = new RegExp(`^ {2}${kind} +(\\S.*)$`, "m").exec(output) ?? [];
      expect(counts.split("  ").map((count) => count.split(" ")[0])).toEqual([...states]);
      expect(counts).not.toMatch(/\b0\b/);
    }

    // Before the kill, after it, and at the end: the same link, which is good until it is used
    const links = [...output.matchAll(/^ {4}console {6}(http\S+)$/gm)].map(([, link = ""]) => link);
    expect(links).toHaveLength(3);
    expect(new Set(links).size).toBe(1);
    expect((await fetch(links[0] ?? "")).status).toBe(200);
    const [, keyFile = ""] = /^ {4}API key {6}in (\S+)$/m.exec(output) ?? [];
    const { origin } = new URL(links[0] ?? "");
    expect((await restOf(`${origin}/api/v1`, readFileSync(keyFile, "utf8").trim()).get("/whoami")).status).toBe(200);

    expect(await demo.end("SIGINT", MINUTE_MS)).toBe(0);
    const [folder = ""] = /^.*\/outreach-demo-[^/]+/.exec(keyFile) ?? [];
    expect([folder.length > 0, existsSync(folder)]).toEqual([true, false]);
  },
  PATIENCE_MS + 2 * MINUTE_MS,
);

function numberOf(figure: string, output: string): number {
  return Number(new RegExp(`^ {2}${figure} +(\\d+) `, "m").exec(output)?.[1]);
}
