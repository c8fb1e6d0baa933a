import { AppError } from "../errors.ts";
import { nearestName } from "../nearest-name.ts";
import { foldVariableName } from "../templates/liquid.ts";
import { checkSignature, namesInSource } from "../templates/template.ts";
import { BUILT_INS } from "../templates/variables.ts";
import { type CampaignFinding, finding } from "./check.ts";
import type { Step } from "./sequence.ts";

/** The variables in one text of a campaign, and where that text is. */
interface Named {
  names: string[];
  where: string;
  path: string;
}

/**
 * The variables in the texts of enabled variants. Texts that are not valid templates are left out; another check
 * reports them.
 */
export function namesOfSteps(steps: readonly Step[]): Named[] {
  return steps.flatMap(({ variants }, index) =>
    variants.flatMap(({ enabled, label, subject, bodyHtml, bodyText }, at) => {
      const names = [subject, bodyHtml, bodyText].flatMap((source) => namesInSource(source ?? ""));
      return enabled
        ? [{ names, where: `Step ${index + 1}, variant ${label}`, path: `steps.${index}.variants.${at}` }]
        : [];
    }),
  );
}

/** The texts of signatures, each with its mailbox. */
export function namesOfSignatures(
  mailboxes: readonly { _id: string; email: string; signatureHtml: string | null }[],
): Named[] {
  return mailboxes.flatMap(({ _id, email, signatureHtml }) =>
    signatureHtml === null
      ? []
      : [{ names: namesInSource(signatureHtml), where: `The signature of ${email}`, path: `mailboxes.${_id}` }],
  );
}

/**
 * The errors about signatures that are not valid templates. They were saved before signatures were checked, and no
 * email with such a signature could be sent.
 */
export function signatureErrors(
  mailboxes: readonly { _id: string; email: string; signatureHtml: string | null }[],
): CampaignFinding[] {
  return mailboxes.flatMap(({ _id, email, signatureHtml }) => {
    try {
      if (signatureHtml !== null) checkSignature(signatureHtml, `mailboxes.${_id}`);
      return [];
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      return [
        finding("TEMPLATE_SYNTAX", `The signature of ${email}: ${err.message}`, `mailboxes.${_id}`, { ...err.details }),
      ];
    }
  });
}

/** The keys of custom fields that texts use: all names that are not built in. */
export function customKeysOf(named: readonly Named[]): string[] {
  return [...new Set(named.flatMap(({ names }) => names.flatMap((name) => customKeyOf(name) ?? [])))];
}

/**
 * The errors about names that no field, column or variable has (rules/mail 4.6). They are errors even with a `default`:
 * `frist_name` would show its default text to everyone. `customKeys` are the keys of custom fields.
 */
export function unknownVariables(named: readonly Named[], customKeys: readonly string[]): CampaignFinding[] {
  const folded = new Set(customKeys.map(foldVariableName));
  return named.flatMap(({ names, where, path }) =>
    [...new Set(names)].flatMap((name) => {
      const key = customKeyOf(name);
      if (key === null || folded.has(foldVariableName(key))) return [];
      const nearest = closestTo(key, customKeys);
      const hint = nearest === null ? "" : `: is ${nearest} meant?`;
      return [
        finding(
          "UNKNOWN_VARIABLE",
          `${where} uses ${name}, but no field, column or variable has this name${hint}`,
          path,
          {
            name,
            meant: nearest,
          },
        ),
      ];
    }),
  );
}

/**
 * The key of a custom field that a name stands for; null for a built-in, and for a name that is only known when it is
 * rendered.
 */
function customKeyOf(name: string): string | null {
  if (BUILT_IN.has(foldVariableName(name))) return null;
  const [head = "", ...rest] = name.split(".");
  const isWhole = foldVariableName(head) === "customfields";
  const key = isWhole ? rest[0] : head;
  if (key === undefined || key === "*" || (!isWhole && BUILT_IN.has(foldVariableName(head)))) return null;
  return key;
}

const BUILT_IN = new Set(BUILT_INS.map(({ key }) => foldVariableName(key)));
function closestTo(key: string, keys: readonly string[]): string | null {
  const names = [...BUILT_INS.map((builtIn) => builtIn.key), ...keys];
  const byFolded = new Map(names.map((name) => [foldVariableName(name), name]));
  const nearest = nearestName(foldVariableName(key), [...byFolded.keys()]);
  return nearest === null ? null : (byFolded.get(nearest) ?? null);
}
