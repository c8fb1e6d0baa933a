import type { Choice } from "../../operations/choice.ts";
import type { Method } from "../../operations/declaration.ts";
import { verbs } from "../../operations/declarations.ts";
import type { AnyOperation } from "../../operations/operation.ts";

const NAMES = new Map<AnyOperation | Choice, string>(Object.entries(verbs).map(([name, verb]) => [verb, name]));

/**
 * The operation id, for example `campaigns_get_settings`: the operation's name in the catalogue. An operation without a
 * name gets its method and path.
 */
export function operationIdOf(method: Method, path: string, operation: AnyOperation | Choice): string {
  const name = NAMES.get(operation);
  if (name === undefined) return [method, ...path.split(/[/:]+/).filter(Boolean)].join("_").replaceAll("-", "_");
  return name.replaceAll(".", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `campaigns_control` as `CampaignsControl`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll("_", "");
}
