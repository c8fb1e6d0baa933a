import type { Step } from "../../domain/sequences/sequence.ts";
import { customKeysOf, unknownVariables } from "../../domain/sequences/variable-names.ts";
import { type Content, catalogueNames, namesInSource } from "../../domain/templates/template.ts";
import { findCustomKeys } from "../../store/leads/custom-keys.ts";

/** The variables that the texts of a template use, those of disabled variants included. */
export function usedIn({ steps, ...content }: Content & { steps: readonly Step[] }): string[] {
  const texts = [content, ...steps.flatMap(({ variants }) => variants)];
  return catalogueNames(
    texts.flatMap(({ subject, bodyHtml, bodyText }) =>
      [subject, bodyHtml, bodyText].flatMap((source) => namesInSource(source ?? "")),
    ),
  );
}

/**
 * For each template, those of its variables that no field, column or lead of the workspace has, as the check of a
 * campaign finds them (rules/mail 4.6).
 */
export async function findUnknown(
  workspaceId: string,
  templates: readonly { variables: string[] }[],
): Promise<{ name: string; meant: string | null }[][]> {
  const named = templates.map(({ variables }) => ({ names: variables, where: "The template", path: "" }));
  const custom = customKeysOf(named).length === 0 ? [] : await findCustomKeys(workspaceId);
  if (custom === null) return templates.map(() => []);
  return named.map((one) =>
    unknownVariables([one], custom).map(({ details }) => ({
      name: String(details["name"]),
      meant: typeof details["meant"] === "string" ? details["meant"] : null,
    })),
  );
}
