/**
 * Made by build.ts from the OpenAPI document: the limits of each field by endpoint, and by action if it has several.
 */
declare module "virtual:limits" {
  const limits: Partial<Record<string, Partial<Record<string, import("./api/forms.ts").FieldLimits>>>>;
  export default limits;
}
