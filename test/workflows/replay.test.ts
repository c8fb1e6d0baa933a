import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { Worker } from "@temporalio/worker";
import * as workflows from "../../workflows/index.ts";
import { nameOf, STORIES } from "./histories.ts";
import { HISTORIES, historyOf, recorded, replayed, useSetup, workflowBundle } from "./replay-setup.ts";

useSetup();

const WORKFLOWS = new URL("../../workflows/", import.meta.url);

test.each(recorded)("a run that was recorded as %s replays with the present code", (file) => {
  expect(replayed.get(file)).toBeNull();
});

test("replaying a recorded run on a different workflow is reported as a determinism violation", async () => {
  const history = historyOf("recipient.sent-three-times.json");
  const [started] = history.events ?? [];
  const type = started?.workflowExecutionStartedEventAttributes?.workflowType;
  if (type == null) throw new Error("the history names no workflow");
  type.name = "campaign";
  await expect(Worker.runReplayHistory({ workflowBundle }, history, "another")).rejects.toMatchObject({
    name: "DeterminismViolationError",
  });
});

test("every workflow and every listed scenario has a recorded history", () => {
  const names = recorded.map((file) => file.replace(/\.json$/, ""));
  expect(names).toEqual(expect.arrayContaining(STORIES.map(nameOf)));
  const told = new Set(names.map((name) => name.split(".")[0]));
  expect(Object.keys(workflows).filter((name) => !told.has(name))).toEqual([]);
});

test("each workflow patch has a recorded history from before and from after the change", () => {
  const changes = readdirSync(WORKFLOWS).flatMap((file) => [
    ...readFileSync(new URL(file, WORKFLOWS), "utf8").matchAll(/patched\("([^"]+)"\)/g),
  ]);
  expect(changes.length).toBeGreaterThan(0);
  for (const [, change = ""] of changes) {
    const [before = [], after = []] = [true, false].map((isBefore) =>
      recorded.filter(
        (file) => file.includes(`.before-${change}.`) === isBefore && marksOf(file).includes(change) !== isBefore,
      ),
    );
    expect([change, before.length > 0, after.length > 0]).toEqual([change, true, true]);
  }
});

test("every recorded history is below 30 KB, small enough to read", () => {
  for (const file of recorded) expect(readFileSync(new URL(file, HISTORIES)).length).toBeLessThan(30_000);
});

/** The changes that a recorded run had marked. */
function marksOf(file: string): string[] {
  const markers = (historyOf(file).events ?? []).flatMap(
    ({ markerRecordedEventAttributes: marker }) => marker?.details ?? [],
  );
  const texts = markers.flatMap((details) => Object.values(details).flatMap(({ payloads }) => payloads ?? []));
  return texts
    .map(({ data }) => Buffer.from(data ?? []).toString("utf8"))
    .flatMap((text) => [...text.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word));
}
