import { lazy } from "react";
import { loadSentences } from "../words/codes.ts";

const loaders = {
  password: () => import("./password-form.tsx"),
  signedOut: () => import("./signed-out-dialog.tsx"),
  killSwitch: () => import("./kill-switch-dialog.tsx"),
  goTo: () => import("./go-to-dialog.tsx"),
};

/** Dialogs that every page may open. No page needs them at first, so their files are loaded later. */
export const PasswordForm = lazy(async () => ({ default: (await loaders.password()).PasswordForm }));
export const SignedOutDialog = lazy(async () => ({ default: (await loaders.signedOut()).SignedOutDialog }));
export const KillSwitchDialog = lazy(async () => ({ default: (await loaders.killSwitch()).KillSwitchDialog }));
export const GoToDialog = lazy(async () => ({ default: (await loaders.goTo()).GoToDialog }));

const LATER_MS = 2_000;

/**
 * Fetches the dialogs' files some time after the page is shown, so that they are available even if the service is
 * unreachable later.
 */
export function fetchDialogs(): void {
  setTimeout(() => {
    for (const load of [...Object.values(loaders), loadSentences]) void load().catch(() => {}); // retried when needed
  }, LATER_MS);
}
