/** What the dialog says that asks for the password once more. */
export const confirmWords = {
  title: "Your password, once more",
  text: "This weighs much, so it needs the password of the last ten minutes.",
  password: "Password",
  code: "Code of your authenticator app, or a recovery code",
  recovery: "A recovery code",
  act: "Go on",
  byPasskey: "The browser asks for your passkey next.",
  usePasskey: "Use a passkey instead",
  useCode: "Use a code instead",
} as const;

/** Why the browser gave no passkey; what it says itself is for programmers. */
export const passkeyWords = {
  refused: "The browser gave no passkey: it was not allowed to, or nobody answered. Try again, or use something else.",
  known: "This device has a passkey of yours already.",
  cannot: "This browser can use no passkeys here: they need https, or the machine itself.",
} as const;
