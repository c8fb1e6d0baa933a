import { AppError } from "../../domain/errors.ts";
import { type DeclaredField, typedValues } from "../../domain/leads/custom-field.ts";
import type { LeadChange } from "../../domain/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";

/** The custom fields for which the type of a lead's value is checked. Archived fields are not checked. */
export function loadDeclaredFields(workspaceId: string): Promise<(DeclaredField & { label: string })[]> {
  return scoped(workspaceId).CustomField.find(
    { archived: false },
    { select: { key: 1, label: 1, type: 1, options: 1 } },
  );
}

/**
 * Checks the custom values of a change against the declared fields and returns the change with typed values. @throws
 * VALIDATION_FAILED with the path of each wrong value
 */
export async function checkLeadChange<C extends LeadChange>(workspaceId: string, change: C, at: string): Promise<C> {
  if (change.customFields === undefined) return change;
  const { values, issues } = typedValues(await loadDeclaredFields(workspaceId), change.customFields, at);
  if (issues.length > 0)
    throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: issues.slice(0, 100) });
  return { ...change, customFields: values };
}
