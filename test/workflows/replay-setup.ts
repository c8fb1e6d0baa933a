import { readdirSync, readFileSync } from "node:fs";
import { beforeAll } from "@jest/globals";
import { historyFromJSON } from "@temporalio/common/lib/proto-utils.js";
import { Worker } from "@temporalio/worker";
import { sharedBundle } from "../support/server-host.ts";
import { installQuietRuntime } from "./environment.ts";

export const HISTORIES = new URL("../histories/", import.meta.url);

export const recorded = readdirSync(HISTORIES).filter((file) => file.endsWith(".json"));

type Bundle = NonNullable<Parameters<typeof Worker.runReplayHistories>[0]["workflowBundle"]>;

export let workflowBundle: { codePath: string };

export let replayed: ReadonlyMap<string, unknown>;

/**
 * The outcome of every recorded run, by its file: null where it continues. One worker replays them all, since making
 * one takes a second.
 */
export async function replayAll(bundle: Bundle): Promise<ReadonlyMap<string, unknown>> {
  const histories = recorded.map((file) => ({ workflowId: file, history: historyOf(file) }));
  const outcomes = new Map<string, unknown>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, histories))
    outcomes.set(workflowId, error ?? null);
  return outcomes;
}

export function historyOf(file: string) {
  return historyFromJSON(JSON.parse(readFileSync(new URL(file, HISTORIES), "utf8")));
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    installQuietRuntime();
    workflowBundle = await sharedBundle();
    replayed = await replayAll(workflowBundle);
  });
}
