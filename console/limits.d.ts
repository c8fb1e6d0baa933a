/**
 * A module that build.ts makes from the OpenAPI document: the limits of each field, by endpoint and, if there are
 * several, action.
 */
declare module "virtual:limits" {
  const limits: Partial<Record<string, Partial<Record<string, import("./api/forms.ts").FieldLimits>>>>;
  export default limits;
}
