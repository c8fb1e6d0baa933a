import type { Declaration, Route } from "../operations/declaration.ts";
import { CHAPTERS } from "../operations/declaration.ts";
import { declarations } from "../operations/declarations.ts";
import { EXAMPLE_IDS } from "../operations/described-ids.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { isChoice } from "./tool.ts";

type Args = Readonly<Record<string, unknown>>;

/** The longest example that an error shows. */
const MOST_CHARACTERS = 1_500;

/** A valid call of an operation, from the examples of the reference; null when there is none. */
export function exampleOf(verb: AnyOperation): Args | null {
  return examples.get(verb) ?? null;
}

const IDS: Readonly<Record<string, string>> = EXAMPLE_IDS;
const examples = new Map(declarations.flatMap(examplesIn));

function examplesIn({ routes = [], examples = {} }: Declaration): [AnyOperation, Args][] {
  return CHAPTERS.flatMap((chapter) => examples[chapter] ?? [])
    .toReversed() // the first example of an operation is the last one set
    .flatMap(({ at, body }): [AnyOperation, Args][] => {
      const route = routes.find(([method, path]) => `${method} ${path}` === at);
      if (route === undefined || "file" in body) return [];
      const args = argumentsOf(route, body);
      const operation = route[2];
      const verb = isChoice(operation) ? operation.actions[String(body["action"])] : operation;
      return verb === undefined || JSON.stringify(args).length > MOST_CHARACTERS ? [] : [[verb, args]];
    });
}

function argumentsOf([, path, , , options = {}]: Route, body: Args): Args {
  const ids = [...path.matchAll(/:(\w+Id)/g)].map(([, name = ""]) => [name, IDS[name] ?? name]);
  return { ...Object.fromEntries(ids), ...(options.whole === undefined ? body : { [options.whole]: body }) };
}
