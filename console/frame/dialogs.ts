import { lazy } from "react";
import { loadSentences } from "../words/codes.ts";

const loaders = {
  password: () => import("./password-form.tsx"),
  signedOut: () => import("./signed-out-dialog.tsx"),
  killSwitch: () => import("./kill-switch-dialog.tsx"),
};

/** Dialogs that stand on every page, none of them at once: their files are no part of what has to be there first. */
export const PasswordForm = lazy(async () => ({ default: (await loaders.password()).PasswordForm }));
export const SignedOutDialog = lazy(async () => ({ default: (await loaders.signedOut()).SignedOutDialog }));
export const KillSwitchDialog = lazy(async () => ({ default: (await loaders.killSwitch()).KillSwitchDialog }));

const LATER_MS = 2_000;

/** Once the page stands they are fetched, so that they are there when the service is not. */
export function fetchDialogs(): void {
  setTimeout(() => {
    for (const load of [...Object.values(loaders), loadSentences]) void load().catch(() => {}); // then it is tried again when it is wanted
  }, LATER_MS);
}
