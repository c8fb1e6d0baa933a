import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { z } from "zod";
import type { routes } from "../../api/routes.ts";
import type { VerbName } from "../../operations/declarations.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

/** What a client can know of the API by the types of the table alone. */
type Line = (typeof routes)[number];
type NameOf<L> = L extends readonly [infer M extends string, infer P extends string, ...unknown[]]
  ? `${M} ${P}`
  : never;
type Endpoint = NameOf<Line>;
type VerbOf<E extends Endpoint> = E extends `${infer M} ${infer P}`
  ? Extract<Line, readonly [M, P, ...unknown[]]>[2]
  : never;
type Takes<V> = V extends { input: infer I extends z.ZodType } ? z.input<I> : never;
type Answers<V> = V extends { output: infer O extends z.ZodType } ? z.output<O> : never;
type ActionsOf<V> = V extends { actions: infer A } ? A : never;
type InputOf<V> = V extends { actions: infer A } ? { [N in keyof A]: { action: N } & Takes<A[N]> }[keyof A] : Takes<V>;
type OutputOf<V, I> = I extends { action: infer N extends keyof ActionsOf<V> } ? Answers<ActionsOf<V>[N]> : Answers<V>;
type In<E extends Endpoint> = InputOf<VerbOf<E>>;
type Out<E extends Endpoint, I = In<E>> = OutputOf<VerbOf<E>, I>;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Fits<A, B> = [A] extends [B] ? true : false;
/** The compiler refuses a statement that is not true; nothing happens when it runs. */
function holds<Statement extends true>(..._: Statement[]): void {}
function fails<Statement extends false>(..._: Statement[]): void {}

/**
 * One call of a client that is typed by the table: what its path names is taken from the fields, the rest is the body.
 */
async function ask<E extends Endpoint, const I extends In<E>>(rest: Rest, endpoint: E, fields: I): Promise<Out<E, I>> {
  const [method = "", template = ""] = endpoint.split(" ");
  const left = new Map<string, unknown>(Object.entries(fields));
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return String(value);
  });
  const { body } = await (method === "get"
    ? rest.get(path)
    : method === "delete"
      ? rest.delete(path)
      : rest.post(path, Object.fromEntries(left)));
  return body;
}

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("the typed client knows the input, output and path parameters of an endpoint", async () => {
  const { rest } = await world.workspace();
  const entry = await ask(rest, "post /block-list", { value: "x.test" });
  holds<Same<typeof entry.type, "EMAIL" | "DOMAIN">>();
  expect(entry.type).toBe("DOMAIN");
  const gone = await ask(rest, "delete /block-list/:entryId", { entryId: entry.id });
  holds<Same<typeof gone, { id: string; deleted: true }>>();
  expect(gone).toEqual({ id: entry.id, deleted: true });
  holds<Same<In<"get /leads/:leadId">, { leadId: string }>>();
  fails<Fits<{ val: string }, In<"post /block-list">>>();
  fails<Fits<{ id: string }, In<"delete /block-list/:entryId">>>();
  fails<Fits<"get /blocklist", Endpoint>>();
  fails<Fits<"post /campaigns/:campaignId", Endpoint>>();
});

test("the typed client knows the input and output of each action of an endpoint with several actions", async () => {
  const { rest } = await world.workspace();
  const { id: campaignId } = await ask(rest, "post /campaigns", { name: "Spring" });
  const launched = await ask(rest, "post /campaigns/:campaignId/control", { action: "launch", campaignId });
  holds<Same<typeof launched.launched, boolean>>();
  expect(launched.launched).toBe(false);
  holds<
    Same<Out<"post /campaigns/:campaignId/control", { action: "pause" }>, Out<"post /campaigns/:campaignId/archive">>
  >();
  fails<Fits<"launched", keyof Out<"post /campaigns/:campaignId/control", { action: "pause" }>>>();
  fails<Fits<{ action: "unarchive"; campaignId: string }, In<"post /campaigns/:campaignId/control">>>();
  fails<Fits<{ action: "addFromList"; campaignId: string }, In<"post /campaigns/:campaignId/recipients">>>();
});

test("only names of the catalogue are accepted as names of verbs", () => {
  holds<Fits<"campaigns.create", VerbName>>();
  fails<Fits<"campaigns.craete", VerbName>>();
  fails<Fits<string, VerbName>>();
});
