/** Made by build.ts from the OpenAPI document: limits of each field by request, and by its action where it has some. */
declare module "virtual:limits" {
  const limits: Partial<Record<string, Partial<Record<string, import("./api/forms.ts").FieldLimits>>>>;
  export default limits;
}
