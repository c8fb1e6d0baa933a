declare module "role-based-email-addresses" {
  /** The local parts of addresses that no one in particular reads. */
  const localParts: readonly string[];
  export default localParts;
}
