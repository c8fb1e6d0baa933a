/** The texts of the notice for a person who has not confirmed the address. */
export const addressWords = {
  unconfirmed: "Confirm your email address",
  unconfirmedText: (email: string) =>
    `Workspaces without an owner who has confirmed an address cannot send email. Open the link that we send to ${email}.`,
  act: "Send me the link",
  sent: (email: string) => `The link is on its way to ${email}.`,
} as const;
