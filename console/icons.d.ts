/** The icons of the package `lucide`, each in a file of its own, so that a page loads only those that it shows. */
declare module "lucide/dist/esm/icons/*" {
  const shapes: readonly [tag: string, attributes: Readonly<Record<string, string | number>>][];
  export default shapes;
}
