import { counted } from "../../format.ts";

/** The texts of the account page. */
export const accountWords = {
  title: "Account",
  signedInAs: (email: string) => `You sign in as ${email}.`,
  name: "Your name",
  save: "Save",
  named: "Saved.",

  password: "Password",
  current: "Current password",
  next: "New password",
  nextHint: "10 to 200 characters.",
  passwordAct: "Change password",
  passwordEffect: "Every other browser in which you are signed in is signed out.",
  passwordChanged: "The password is changed, and every other browser is signed out.",

  sessions: "Where you are signed in",
  browser: "Browser",
  unknownBrowser: "Unknown browser",
  here: "this one",
  from: "From",
  seen: "Last seen",
  opened: "Signed in",
  expires: "Expires",
  end: "Sign out",
  endEffect: (browser: string, from: string) =>
    `${browser} from ${from} is signed out within a second. What is typed there is not saved.`,
  somewhere: "an unknown address",
  ended: "That browser is signed out.",
  endOthers: "Sign out everywhere else",
  endOthersEffect: (count: number) =>
    `${counted(count, "other browser is", "other browsers are")} signed out within a second. This one stays.`,
  endedOthers: "Only this browser is signed in now.",
  noSessions: "No sessions found. Reload the page.",
} as const;

export const factorWords = {
  title: "Second factor",
  why: "You confirm each sign-in with a second factor after your password.",
  none: "You have no second factor yet.",
  app: "Authenticator app",
  appOn: "Set up",
  appOff: "Not set up",
  appSetUp: "Set up an app…",
  appTitle: "Set up an authenticator app",
  appText:
    "Open the link on the device with the app, or type the secret into the app. Then enter the code that it shows.",
  secret: "Secret",
  link: "Open it in the app",
  code: "The code that the app shows now",
  appAct: "Use this app",
  appRemove: "Remove the app…",
  appRemoveTitle: "Remove the authenticator app?",
  appRemoveAct: "Remove the app",
  appRemoveEffect: "You no longer need codes from the app.",
  lastEffect:
    "This is your last second factor. After that, your password alone signs you in, and the recovery codes stop working.",
  appRemoved: "The app is removed.",

  recovery: "Recovery codes",
  left: (count: number) =>
    `${counted(count, "code is", "codes are")} left. Each works once, instead of the app or passkey.`,
  renew: "New codes…",
  renewTitle: "Make new recovery codes?",
  renewAct: "Make new codes",
  renewEffect: "You get ten new codes. All earlier codes stop working.",
  codesTitle: "Your recovery codes",
  codesText:
    "Store them away from this device. They are shown only now. Each code signs you in once, without the app or passkey.",
  codes: "Codes",
  done: "Done",

  passkeys: "Passkeys",
  noPasskeys: "No passkeys yet. A passkey is your device or a security key, so you do not type anything.",
  cannotPasskey: "This browser cannot create passkeys here, because they need https.",
  passkeyAdd: "Add a passkey…",
  passkeyTitle: "Add a passkey",
  passkeyName: "Name",
  passkeyHint: "For example, the device that stores it.",
  passkeyText: "The browser asks next which device or security key to use.",
  passkeyAct: "Create passkey",
  passkeyAdded: "The passkey is added.",
  passkeyRemove: "Remove",
  passkeyRemoveEffect: (name: string) => `${name} does not sign in any more. Remove it from the device, too.`,
  passkeyRemoved: (name: string) => `${name} is removed.`,
  since: "Added",
} as const;
