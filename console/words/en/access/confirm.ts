/** The texts of the dialog that asks for the password once more. */
export const confirmWords = {
  title: "Confirm your password",
  text: "Please confirm your password. We ask again for sensitive changes after 10 minutes.",
  password: "Password",
  code: "Code of your authenticator app, or a recovery code",
  recovery: "A recovery code",
  act: "Continue",
  byPasskey: "The browser asks for your passkey next.",
  usePasskey: "Use a passkey instead",
  useCode: "Use a code instead",
} as const;

/**
 * Why the browser returned no passkey. The browser's own message is not shown, because it is written for programmers.
 */
export const passkeyWords = {
  refused: "The passkey was not confirmed. Try again, or use another method.",
  known: "You already have a passkey on this device.",
  cannot: "This browser cannot use passkeys here, because they need https.",
} as const;
