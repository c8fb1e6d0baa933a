declare module "role-based-email-addresses" {
  /** The local parts of addresses that belong to no one in particular. */
  const localParts: readonly string[];
  export default localParts;
}
